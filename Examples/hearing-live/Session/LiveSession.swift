import ExampleSupport
import HearingAudio
import HearingDSP
import HearingProcessing
import Synchronization

/// A session with a processor bound to it, as an app has them.
final class LiveSession: Sendable {
  let session: ProcessingSession
  let processor: BandGainProcessor
  let binding: ProcessorBinding
  let follower: RouteFollower
  let presets: LivePresets
  let format: LiveFormat
  let log: EventLog
  /// Whether a route is being entered.
  let isEntering = Atomic(false)

  private let controller = ProcessingController()

  /// Activates a session and brings it to what the options ask for.
  init(_ options: LiveOptions, _ log: EventLog) async throws(CommandFailure) {
    self.log = log
    format = options.format
    let listener = try LiveListener(options)
    let rate = Double(options.sampleRate)
    guard let layout = BandLayout.audiometric.limited(to: rate) else {
      preconditionFailure("no band at \(rate) Hz")
    }
    let source = DefaultPresetDataSource(
      fitting: listener.fitting(options.rule, below: .infinity), profile: listener.profile)
    do {
      processor = try BandGainProcessor(
        spec: ProcessingSpec(sampleRate: rate, channelCount: options.channelCount), layout: layout,
        limiter: LimiterConfiguration(isLinked: true))
      session = try controller.activate(presetDataSource: .default(source))
      binding = session.bind(
        to: processor, calibration: Calibration(fullScaleSPL: options.fullScaleSPL))
      follower = RouteFollower(session, bindings: [binding])
      presets = LivePresets(listener, session, source, options)
      if listener.isKnown {
        try await begin(with: listener.wish)
        _ = try await session.isEnabled.apply(true).get()
      }
    } catch {
      let place = options.presetPath ?? options.audiogram ?? "the processor"
      throw .badData(place: place, reason: "\(error)")
    }
  }

  private func begin(with wish: LiveListener.Wish) async throws {
    let result = await withCheckedContinuation { continuation in
      presets.apply(wish) { continuation.resume(returning: $0) }
    }
    _ = try result.get()
  }

  /// Ends the session: whatever waits fails.
  func end() {
    controller.deactivate()
  }

  /// Tells every value of the session from now on, for as long as the tokens live.
  func tellValues() -> Set<ObservationToken> {
    [
      session.isEnabled.$value.sink { [log] in log.tell("enabled", ["value": $0]) },
      session.intensity.$value.sink { [log] in log.tell("intensity", ["value": $0.asWritten]) },
      session.preset.$value.sink { [log] preset in
        var details: [String: Any] = [:]
        details["id"] = preset?.id
        details["rule"] = preset?.rule
        log.tell("preset", details)
      },
      session.$isInterrupted.sink { [weak session, log] in
        let reasons = session?.interruptions.map { "\($0.base)" }.sorted() ?? []
        log.tell("interrupted", ["value": $0, "reasons": reasons])
      },
    ]
  }
}

extension Float {
  /// The same number as it is written, not with the digits that a `Double` adds.
  fileprivate var asWritten: Double { Double(description) ?? Double(self) }
}
