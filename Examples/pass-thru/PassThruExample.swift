import ExampleSupport
import Foundation
import HearingAudio
import HearingFitting
import HearingProcessing

/// Performs a pass-thru request, in which an app receives the sound of a connected device. This
/// program acts as the device and as the app. See `pass-thru --help`.
@main
struct PassThruExample {
  private let options: PassThruOptions

  static func main() {
    Command("pass-thru", help: PassThruOptions.help).run {
      arguments async throws(CommandFailure) in
      try await PassThruExample(arguments).run()
    }
  }

  private init(_ arguments: [String]) throws(CommandFailure) {
    do {
      options = try PassThruOptions(arguments: arguments)
    } catch {
      throw .usage(error)
    }
  }

  private func run() async throws(CommandFailure) {
    signal(SIGPIPE, SIG_IGN)
    let controller = ProcessingController()
    let passThru = AudioPassThru(processing: try await processing(by: controller))
    StopSignals.watch { passThru.end() }
    let input = StandardInput()
    let output = OutputPipe()
    var request = options.request
    request.audioDataHandler = { data in
      guard let data, !output.write(data) else { return }
      passThru.disconnect()
    }
    let result = passThru.perform(request)
    let check = options.streamCheck
    Thread.detachNewThread { input.feed(passThru, checking: check) }
    do {
      Command.warn("pass-thru: \(text(for: try await result.get()))")
    } catch {
      if let failure = input.failure { throw failure }
      if let reason = output.failure {
        throw .cannotWrite(path: "standard output", reason: reason)
      }
      if case .sourceFailed(let reason) = error as? AudioPassThruError {
        throw .noInput(path: "standard input", reason: reason)
      }
      throw .badData(input: "pass-thru", reason: "\(error)")
    }
  }

  /// The processing that the options describe; nil if the sound passes unchanged.
  private func processing(
    by controller: ProcessingController
  ) async throws(CommandFailure) -> PassThruProcessing? {
    guard let audiogram = options.audiogram else { return nil }
    let profile = try HearingProfile(argument: audiogram)
    profile.printWarnings(about: audiogram, by: "pass-thru")
    let source = DefaultPresetDataSource(
      fitting: Fitting(techLevel: 3, rule: options.rule), profile: profile)
    do {
      let session = try controller.activate(presetDataSource: .default(source))
      _ = try await session.preset.reload().get()
      _ = try await session.isEnabled.apply(true).get()
      return .session(session, ear: options.ear)
    } catch {
      throw .badData(input: audiogram, reason: "\(error)")
    }
  }

  private func text(for response: AudioPassThruResponse) -> String {
    let ending =
      switch response.ending {
      case .durationReached: "the maximum duration was reached"
      case .endedByApp: "stopped by a signal"
      case .sourceFinished: "the input ended"
      }
    let seconds =
      Double(response.frameCount) / Double(options.request.samplingRate.rawValue)
    var text = "\(ending): \(response.frameCount) frames, \(seconds.clockText)"
    if response.clippedSampleCount > 0 {
      text += ", \(response.clippedSampleCount) samples clipped"
    }
    if response.strayByteCount > 0 { text += "; half a sample at the end was dropped" }
    return text
  }
}
