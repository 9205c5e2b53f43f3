import ExampleSupport
import Foundation

/// Reads the command line, plays the call, writes what happened, and prints a summary.
struct ChatCommand {
  private let options: ChatOptions

  init(arguments: some Sequence<String>) throws(CommandFailure) {
    do {
      options = try ChatOptions(arguments: arguments)
    } catch {
      throw .usage(error)
    }
  }

  func run() async throws(CommandFailure) {
    guard !options.wantsHelp else { return try StandardOutput.write(ChatOptions.help) }
    StopSignals.watch()
    let call = try Call(options)
    let summary = try await call.play()
    for warning in summary.warnings { Command.warn("voice-chat: \(warning)") }
    try StandardOutput.write(summary.text)
  }
}
