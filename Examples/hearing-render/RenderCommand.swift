import ExampleSupport
import HearingAudio
import HearingDSP
import HearingProcessing

/// Reads the command line, renders, prints what was measured, and puts every failure into words.
struct RenderCommand {
  private let options: RenderOptions

  init(arguments: some Sequence<String>) throws(CommandFailure) {
    do {
      options = try RenderOptions(arguments: arguments)
    } catch {
      throw .usage(error)
    }
  }

  func run() async throws(CommandFailure) {
    guard !options.wantsHelp else { return try StandardOutput.write(RenderOptions.help) }
    let listener = try Listener(options)
    StopSignals.watch()
    let summary: RenderSummary
    do {
      summary = try await RenderJob(options, listener: listener).run()
    } catch {
      throw failure(error)
    }
    for warning in summary.warnings { Command.warn("hearing-render: \(warning)") }
    if !options.isQuiet { try StandardOutput.write(summary.text + "\n") }
  }

  /// Whose fault an error is: the input's, the output's or the listener's data.
  private func failure(_ error: any Error) -> CommandFailure {
    switch error {
    case let error as CommandFailure:
      return error
    case let error as WAVReadError:
      return CommandFailure(error, reading: input)
    case let error as WAVWriter.WriteError:
      return CommandFailure(error, writing: options.output)
    case OfflineRenderer.RenderError.cancelled:
      return .cannotWrite(path: options.output, reason: "stopped by a signal")
    case let error as RenderFailure:
      return .badData(place: input, reason: error.description)
    case let error as BandGainProcessor.Failure:
      return .badData(place: input, reason: error.description)
    case let error as ParameterError:
      return .badData(place: options.listenerName, reason: error.description)
    case let error:
      // Nothing else can go wrong in the world: no other session, no channel that is not there.
      preconditionFailure("rendering failed with \(type(of: error)): \(error)")
    }
  }

  private var input: String { options.input ?? "the embedded recording" }
}
