import ExampleSupport
import Foundation
import HearingAudio
import HearingProcessing

/// Processes raw PCM for a listener in real time. See `hearing-live --help`.
@main
struct HearingLive {
  private let options: LiveOptions

  static func main() {
    Command("hearing-live", help: LiveOptions.help).run {
      arguments async throws(CommandFailure) in
      try await HearingLive(arguments).run()
    }
  }

  private init(_ arguments: [String]) throws(CommandFailure) {
    do {
      options = try LiveOptions(arguments: arguments)
    } catch {
      throw .usage(error)
    }
  }

  private func run() async throws(CommandFailure) {
    // Without this line, writing to a closed pipe would end the program. With it, writing returns
    // an error.
    signal(SIGPIPE, SIG_IGN)
    if let message = options.message {
      return try ControlClient(path: message.socketPath, lines: message.lines).run()
    }
    let stop = StopPipe()
    StopSignals.watch { stop.trigger() }
    let log = EventLog(isEnabled: options.writesEvents)
    let live = try await LiveSession(options, log)
    let control = try options.controlPath.map { (path) throws(CommandFailure) in
      try Control(path: path, live, log, stop)
    }
    log.started(options, live.presets.listener, control: control?.path)
    let values = live.logValues()
    let keys = live.comparison.flatMap { ComparisonKeys($0, stop, log) }
    if live.comparison != nil, keys == nil, control == nil {
      throw .usage(.missingCompanion(option: "--compare", needs: "a terminal or --control"))
    }
    let stream = LiveStream(options, live, stop, log)
    let outcome = Result { () throws(CommandFailure) in try stream.run() }
    // Pending commands are answered before the program ends.
    live.end()
    stop.trigger()
    control?.end()
    keys?.end()
    if let comparison = live.comparison, !comparison.isOver {
      log.warn("the comparison is not finished; \(comparison.path) is not written")
    }
    for token in values { token.cancel() }
    log.ended(try outcome.get(), stream)
  }
}
