import ExampleSupport

/// Plays a voice call from files to files; `voice-chat --help` tells how.
@main
struct VoiceChat {
  static func main() async {
    await Command("voice-chat").run { () async throws(CommandFailure) in
      try await ChatCommand(arguments: CommandLine.arguments.dropFirst()).run()
    }
  }
}
