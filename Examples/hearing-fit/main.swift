import ExampleSupport

Command("hearing-fit").run { () throws(CommandFailure) in
  try FitCommand(arguments: CommandLine.arguments.dropFirst()).run()
}
