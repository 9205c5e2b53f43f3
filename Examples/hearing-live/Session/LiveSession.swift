import ExampleSupport
import HearingAudio
import HearingDSP
import HearingProcessing
import Synchronization

/// A session, and a processor that follows the settings of the session, as in an app.
final class LiveSession: Sendable {
  let session: ProcessingSession
  let processor: BandGainProcessor
  let binding: ProcessorBinding
  let follower: RouteFollower
  let presets: LivePresets
  /// The comparison of settings by the listener; nil without `--compare`.
  let comparison: LiveComparison?
  let format: LiveFormat
  let log: EventLog
  /// Whether a change of route is in progress.
  let isChangingRoute = Atomic(false)

  private let controller = ProcessingController()

  /// Activates a session and applies the options to it.
  init(_ options: LiveOptions, _ log: EventLog) async throws(CommandFailure) {
    self.log = log
    format = options.format
    let listener = try LiveListener(options)
    let headphone = try options.headphonePath.map { path throws(CommandFailure) in
      try HeadphoneCorrection(argument: path)
    }
    let rate = Double(options.sampleRate)
    guard let layout = BandLayout.audiometric.limited(to: rate) else {
      preconditionFailure("the layout has no band below half of \(rate) Hz")
    }
    let source = DefaultPresetDataSource(
      fitting: listener.fitting(options.rule, limit: .infinity), profile: listener.profile)
    do {
      processor = try BandGainProcessor(
        spec: ProcessingSpec(sampleRate: rate, channelCount: options.channelCount), layout: layout,
        limiter: LimiterConfiguration())
      session = try controller.activate(presetDataSource: .default(source))
      follower = RouteFollower(session)
      follower.enter(
        AudioRoute(.other, calibration: Calibration(fullScaleSPL: options.fullScaleSPL)))
      binding = session.bind(to: processor, headphone: headphone)
      // The maximum output of a preset limits only the channels of the two ears. The largest sample
      // also limits the other channels, and limits sound that only the headphone correction
      // amplifies.
      binding.setLargestSample(format.encoding.largestSample)
      presets = LivePresets(listener, session, source, options)
      comparison = try options.comparisonPath.map {
        [session, presets] path throws(CommandFailure) in
        try LiveComparison(path: path, session, presets)
      }
      if listener.isKnown {
        try await begin(with: listener.origin)
        _ = try await session.isEnabled.apply(true).get()
      }
    } catch let error as CommandFailure {
      throw error
    } catch {
      let source = options.presetPath ?? options.audiogram ?? "the processor"
      throw .badData(input: source, reason: "\(error)")
    }
  }

  private func begin(with origin: LiveListener.PresetOrigin) async throws {
    let result = await withCheckedContinuation { continuation in
      presets.apply(origin) { continuation.resume(returning: $0) }
    }
    _ = try result.get()
  }

  /// Ends the session. Pending commands fail.
  func end() {
    controller.deactivate()
  }

  /// Logs every change of the session's values. Logging ends when the returned tokens are released.
  func logValues() -> Set<ObservationToken> {
    [
      session.isEnabled.$value.sink { [log] in log.write("enabled", ["value": $0]) },
      session.intensity.$value.sink { [log] in log.write("intensity", ["value": $0.decimal]) },
      session.preset.$value.sink { [log] preset in
        var details: [String: Any] = [:]
        details["id"] = preset?.id
        details["rule"] = preset?.rule
        log.write("preset", details)
      },
      session.fineTuning.$value.sink { [log] in log.write("tuning", ["value": $0.text]) },
      session.$isInterrupted.sink { [weak session, log] in
        let reasons = session?.interruptions.map { $0.description }.sorted() ?? []
        log.write("interrupted", ["value": $0, "reasons": reasons])
      },
    ]
  }
}

extension Float {
  /// The `Double` with the same decimal digits, for example 0.1 instead of 0.10000000149011612.
  fileprivate var decimal: Double { Double(description) ?? Double(self) }
}
