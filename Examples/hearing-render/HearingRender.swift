import ExampleSupport
import HearingAudio
import HearingDSP
import HearingProcessing
import HearingRemote

/// Renders a sound file for a listener. See `hearing-render --help`.
@main
struct HearingRender {
  private let options: RenderOptions

  static func main() {
    Command("hearing-render", help: RenderOptions.help).run {
      arguments async throws(CommandFailure) in
      try await HearingRender(arguments).run()
    }
  }

  private init(_ arguments: [String]) throws(CommandFailure) {
    do {
      options = try RenderOptions(arguments: arguments)
    } catch {
      throw .usage(error)
    }
  }

  private func run() async throws(CommandFailure) {
    let listener = try RenderListener(options)
    StopSignals.watch()
    if let path = options.dataSheetPath { return try await writeDataSheet(to: path, listener) }
    let summary: RenderSummary
    do {
      summary = try await RenderJob(options, listener: listener).run()
    } catch {
      throw failure(error)
    }
    for warning in summary.warnings { Command.warn("hearing-render: \(warning)") }
    if options.printsJSON {
      try Command.print(summary.json)
    } else if !options.isQuiet {
      try Command.print(summary.text + "\n")
    }
  }

  private func writeDataSheet(
    to path: String, _ listener: RenderListener
  ) async throws(CommandFailure) {
    let sheet: DataSheet
    do {
      sheet = try await DataSheetJob(options: options, listener: listener, path: path).run()
    } catch {
      throw failure(error)
    }
    if options.printsJSON {
      try Command.print(sheet.json)
    } else if !options.isQuiet {
      try Command.print(sheet.text + "\n\n\(path) written\n")
    }
  }

  /// Converts an error to a failure of the command. Possible causes are the input, the output file
  /// and the listener's data.
  private func failure(_ error: any Error) -> CommandFailure {
    switch error {
    case let error as CommandFailure:
      return error
    case let error as WAVReadError:
      return CommandFailure(error, reading: input)
    case let error as FileAccessError:
      return CommandFailure(error, writing: options.output)
    case RenderingError.cancelled:
      return .cannotWrite(path: options.output, reason: "stopped by a signal")
    case let error as RenderFailure:
      return .badData(input: input, reason: error.description)
    case let error as BandGainProcessorError:
      return .badData(input: input, reason: error.description)
    case ParameterError.loadFailed(let error as HTTPPresetError):
      return failure(error)
    case let error as ParameterError:
      return .badData(input: options.listenerName, reason: error.description)
    case let error:
      // No other error can occur, because this program has one session and at most two channels.
      preconditionFailure("rendering failed with \(type(of: error)): \(error)")
    }
  }

  /// Converts an error that occurred while the preset was loaded from `--preset-url`.
  private func failure(_ error: HTTPPresetError) -> CommandFailure {
    let name = options.listenerName
    switch error {
    case .tooLarge, .notAPreset:
      return .badData(input: name, reason: "\(error)")
    case .insecureURL, .notPrepared, .notConnected, .timedOut, .redirectRefused, .unexpectedStatus,
      .waiting:
      return .noInput(path: name, reason: "\(error)")
    }
  }

  private var input: String { options.input ?? "the embedded recording" }
}
