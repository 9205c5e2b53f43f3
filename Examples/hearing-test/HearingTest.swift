import ExampleSupport

/// Measures hearing with headphones; see `hearing-test --help`.
@main
struct HearingTest {
  static func main() {
    Command("hearing-test", help: TestOptions.help).run { arguments throws(CommandFailure) in
      try TestCommand(arguments: arguments).run()
    }
  }
}
