import ExampleSupport
import HearingAudio
import HearingProcessing
import Synchronization

/// Applies presets to a session, with a maximum output that the samples can represent at the
/// current full scale.
final class LivePresets: Sendable {
  let listener: LiveListener
  private let session: ProcessingSession
  private let source: DefaultPresetDataSource
  private let format: LiveFormat
  private let state: Mutex<State>

  private struct State {
    /// The origin of the preset that is applied.
    var origin: LiveListener.PresetOrigin
    /// The lower of the current full scale and the next one.
    var fullScaleSPL: Double
  }

  init(
    _ listener: LiveListener, _ session: ProcessingSession, _ source: DefaultPresetDataSource,
    _ options: LiveOptions
  ) {
    self.listener = listener
    self.session = session
    self.source = source
    format = options.format
    state = Mutex(State(origin: .none, fullScaleSPL: options.fullScaleSPL))
  }

  /// The full scale in dB SPL for new presets.
  var fullScaleSPL: Double {
    get { state.withLock { $0.fullScaleSPL } }
    set { state.withLock { $0.fullScaleSPL = newValue } }
  }

  /// The maximum output in dB SPL that the samples can represent at a full scale.
  func representableOutput(fullScaleSPL: Double) -> Double {
    format.representableOutput(fullScaleSPL: fullScaleSPL)
  }

  /// Applies a preset.
  ///
  /// - Parameter settled: Called once, on any thread, with the applied preset.
  func apply(
    _ origin: LiveListener.PresetOrigin,
    settled: @escaping @Sendable (Result<Preset?, ParameterError>) -> Void
  ) {
    request(origin).whenSettled { [self] result in
      if case .success = result { state.withLock { $0.origin = origin } }
      settled(result)
    }
  }

  /// The preset that was applied last, without the limits of the sample format; nil: none.
  func current() throws(CommandFailure) -> Preset? {
    switch state.withLock({ $0.origin }) {
    case .none: return nil
    case .given(let preset): return preset
    case .prescribed(let rule):
      guard let profile = listener.profile else { return nil }
      do {
        return try listener.fitting(rule, limit: .infinity).preset(for: profile)
      } catch {
        throw .badData(place: "the audiogram", reason: "\(error)")
      }
    }
  }

  /// Applies the current preset again, with the maximum output for ``fullScaleSPL``.
  func applyAgain(settled: @escaping @Sendable (Result<Preset?, ParameterError>) -> Void) {
    apply(state.withLock { $0.origin }, settled: settled)
  }

  private func request(
    _ origin: LiveListener.PresetOrigin
  ) -> ResultPublisher<Preset?, ParameterError> {
    let limit = representableOutput(fullScaleSPL: fullScaleSPL)
    switch origin {
    case .none:
      return session.preset.apply(nil)
    case .given(let preset):
      return session.preset.apply(Self.limited(preset, to: limit))
    case .prescribed(let rule):
      source.fitting = listener.fitting(rule, limit: limit)
      return session.preset.reload()
    }
  }

  private static func limited(_ preset: Preset, to limit: Double) -> Preset {
    do {
      return try preset.replacingMaximumOutput { min($0, limit) }
    } catch {
      preconditionFailure("maximum output \(limit) dB SPL refused: \(error)")
    }
  }
}
