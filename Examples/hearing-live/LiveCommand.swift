import ExampleSupport
import Foundation
import HearingAudio
import HearingProcessing

/// Reads the command line, sets everything up, and lets the sound pass until something ends it.
struct LiveCommand {
  private let options: LiveOptions

  init(arguments: some Sequence<String>) throws(CommandFailure) {
    do {
      options = try LiveOptions(arguments: arguments)
    } catch {
      throw .usage(error)
    }
  }

  func run() async throws(CommandFailure) {
    guard !options.wantsHelp else { return try StandardOutput.write(LiveOptions.help) }
    // A closed pipe is an error of the call that writes to it, not the end of the program.
    signal(SIGPIPE, SIG_IGN)
    let stop = StopPipe()
    StopSignals.watch { stop.trigger() }
    let log = EventLog(isWanted: options.tellsEvents)
    let live = try await LiveSession(options, log)
    let control = try options.controlPath.map { (path) throws(CommandFailure) in
      try Control(path: path, live, log, stop)
    }
    log.started(options, live.presets.listener, control: control?.path)
    let values = live.tellValues()
    let stream = LiveStream(options, live, stop, log)
    let outcome = Result { () throws(CommandFailure) in try stream.run() }
    // Whoever still waits for an answer gets one before the program ends.
    live.end()
    stop.trigger()
    control?.end()
    for token in values { token.cancel() }
    log.ended(try outcome.get(), stream)
  }
}
