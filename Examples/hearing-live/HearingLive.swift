import ExampleSupport

/// Processes sound for a listener while it passes; `hearing-live --help` tells how.
@main
struct HearingLive {
  static func main() async {
    await Command("hearing-live").run { () async throws(CommandFailure) in
      try await LiveCommand(arguments: CommandLine.arguments.dropFirst()).run()
    }
  }
}
