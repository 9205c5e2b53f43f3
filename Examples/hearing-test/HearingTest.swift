import ExampleSupport

/// Measures hearing with headphones; `hearing-test --help` tells how.
@main
struct HearingTest {
  static func main() {
    Command("hearing-test").run { () throws(CommandFailure) in
      try TestCommand(arguments: CommandLine.arguments.dropFirst()).run()
    }
  }
}
