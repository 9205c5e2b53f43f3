import ExampleSupport
import Foundation
import HearingAudio
import HearingFitting
import HearingProcessing

/// Performs the request, feeds it from standard input, and tells what ended it.
struct PassThruCommand {
  private let options: PassThruOptions

  init(arguments: some Sequence<String>) throws(CommandFailure) {
    do {
      options = try PassThruOptions(arguments: arguments)
    } catch {
      throw .usage(error)
    }
  }

  func run() async throws(CommandFailure) {
    guard !options.wantsHelp else { return try StandardOutput.write(PassThruOptions.help) }
    signal(SIGPIPE, SIG_IGN)
    let controller = ProcessingController()
    let passThru = AudioPassThru(processing: try await processing(by: controller))
    StopSignals.watch { passThru.end() }
    let output = OutputPipe()
    var request = options.request
    request.audioDataHandler = { data in
      guard let data, !output.write(data) else { return }
      passThru.disconnect()
    }
    let result = passThru.perform(request)
    Thread.detachNewThread { StandardInput.feed(passThru) }
    do {
      Command.warn("pass-thru: \(words(for: try await result.get()))")
    } catch {
      if let reason = output.failure {
        throw .cannotWrite(path: "standard output", reason: reason)
      }
      if case .sourceFailed(let reason) = error as? AudioPassThruError {
        throw .noInput(path: "standard input", reason: reason)
      }
      throw .badData(place: "pass-thru", reason: "\(error)")
    }
  }

  /// What the sound goes through on its way; nil: nothing.
  private func processing(
    by controller: ProcessingController
  ) async throws(CommandFailure) -> PassThruProcessing? {
    guard let audiogram = options.audiogram else { return nil }
    let source = DefaultPresetDataSource(
      fitting: Fitting(techLevel: 3, rule: options.rule),
      profile: try HearingProfile(argument: audiogram))
    do {
      let session = try controller.activate(presetDataSource: .default(source))
      _ = try await session.preset.reload().get()
      _ = try await session.isEnabled.apply(true).get()
      return .session(session, ear: options.ear)
    } catch {
      throw .badData(place: audiogram, reason: "\(error)")
    }
  }

  private func words(for response: AudioPassThruResponse) -> String {
    let ending =
      switch response.ending {
      case .durationReached: "the longest duration was reached"
      case .endedByApp: "ended by a signal"
      case .sourceFinished: "the source finished"
      }
    let seconds =
      Double(response.frameCount) / Double(options.request.samplingRate.rawValue)
    var words = "\(ending): \(response.frameCount) frames, \(String(format: "%.3f", seconds)) s"
    if response.clippedSampleCount > 0 {
      words += ", \(response.clippedSampleCount) samples clipped"
    }
    if response.strayByteCount > 0 { words += ", and half a sample" }
    return words
  }
}
