import ExampleSupport

/// Renders a voice call with files as inputs and outputs. See `voice-chat --help`.
@main
struct VoiceChat {
  static func main() {
    Command("voice-chat", help: ChatOptions.help).run {
      arguments async throws(CommandFailure) in
      let options: ChatOptions
      do throws(UsageError) {
        options = try ChatOptions(arguments: arguments)
      } catch {
        throw .usage(error)
      }
      StopSignals.watch()
      let summary = try await Call(options).play()
      for warning in summary.warnings { Command.warn("voice-chat: \(warning)") }
      let files = [options.playback, options.uplink, options.events, options.report]
      let written = files.compactMap { $0 }.map { "\($0) written\n" }.joined()
      try Command.print(summary.text + written)
    }
  }
}
