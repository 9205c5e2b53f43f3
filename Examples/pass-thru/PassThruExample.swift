import ExampleSupport

/// Plays the connected device and the app in one: `pass-thru --help` tells how.
@main
struct PassThruExample {
  static func main() async {
    await Command("pass-thru").run { () async throws(CommandFailure) in
      try await PassThruCommand(arguments: CommandLine.arguments.dropFirst()).run()
    }
  }
}
