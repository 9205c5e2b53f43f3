import ExampleSupport
import HearingAudio
import HearingProcessing
import Synchronization

/// Applies presets to a session. Limits the maximum output of each preset to the highest level that
/// the sample format can represent.
final class LivePresets: Sendable {
  let listener: LiveListener
  private let session: ProcessingSession
  private let source: DefaultPresetDataSource
  private let format: LiveFormat
  private let state: Mutex<State>

  private struct State {
    /// The origin of the active preset.
    var origin: LiveListener.PresetOrigin
    /// The full-scale level in dB SPL. While the audio route changes, this is the lower level of
    /// the old route and the new route.
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

  /// The full-scale level in dB SPL that new presets use.
  var fullScaleSPL: Double {
    get { state.withLock { $0.fullScaleSPL } }
    set { state.withLock { $0.fullScaleSPL = newValue } }
  }

  /// The highest maximum output in dB SPL that the samples can represent at a full-scale level.
  func representableOutput(fullScaleSPL: Double) -> Double {
    format.representableOutput(fullScaleSPL: fullScaleSPL)
  }

  /// Applies a preset.
  ///
  /// - Parameter settled: Called once, on any thread, with the applied preset or the error.
  func apply(
    _ origin: LiveListener.PresetOrigin,
    settled: @escaping @Sendable (Result<Preset?, ParameterError>) -> Void
  ) {
    request(origin).whenSettled { [self] result in
      if case .success = result { state.withLock { $0.origin = origin } }
      settled(result)
    }
  }

  /// The active preset without the limits of the sample format; nil if there is no preset.
  func current() throws(CommandFailure) -> Preset? {
    switch state.withLock({ $0.origin }) {
    case .none: return nil
    case .given(let preset): return preset
    case .prescribed(let rule):
      guard let profile = listener.profile else { return nil }
      do {
        return try listener.fitting(rule, limit: .infinity).preset(for: profile)
      } catch {
        throw .badData(input: "the audiogram", reason: "\(error)")
      }
    }
  }

  /// Applies the active preset again. Its maximum output is adapted to ``fullScaleSPL``.
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
