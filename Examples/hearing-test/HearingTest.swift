import ExampleSupport

/// Measures hearing with headphones. See `hearing-test --help`.
@main
struct HearingTest {
  static func main() {
    Command("hearing-test", help: TestOptions.help).run { arguments throws(CommandFailure) in
      try TestCommand(arguments: arguments).run()
    }
  }
}
