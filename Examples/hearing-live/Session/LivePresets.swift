import ExampleSupport
import HearingAudio
import HearingProcessing
import Synchronization

/// Asks a session for presets whose ceiling the samples can carry at the full scale in force.
final class LivePresets: Sendable {
  let listener: LiveListener
  private let session: ProcessingSession
  private let source: DefaultPresetDataSource
  private let format: LiveFormat
  private let state: Mutex<State>

  private struct State {
    /// What is in force.
    var wish: LiveListener.Wish
    /// The lower of the full scale in force and the one that is to come.
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
    state = Mutex(State(wish: .nothing, fullScaleSPL: options.fullScaleSPL))
  }

  /// The full scale in dB SPL that presets are made for.
  var fullScaleSPL: Double {
    get { state.withLock { $0.fullScaleSPL } }
    set { state.withLock { $0.fullScaleSPL = newValue } }
  }

  /// The output in dB SPL that samples can carry at a full scale.
  func carriedOutput(fullScaleSPL: Double) -> Double {
    format.carriedOutput(fullScaleSPL: fullScaleSPL)
  }

  /// Asks for a preset.
  ///
  /// - Parameter settled: Called once, on some thread, with the preset that is in force then.
  func apply(
    _ wish: LiveListener.Wish,
    settled: @escaping @Sendable (Result<Preset?, ParameterError>) -> Void
  ) {
    request(wish).whenSettled { [self] result in
      if case .success = result { state.withLock { $0.wish = wish } }
      settled(result)
    }
  }

  /// Asks for the preset in force again, with the ceiling that belongs to ``fullScaleSPL``.
  func applyAgain(settled: @escaping @Sendable (Result<Preset?, ParameterError>) -> Void) {
    apply(state.withLock { $0.wish }, settled: settled)
  }

  private func request(_ wish: LiveListener.Wish) -> ResultPublisher<Preset?, ParameterError> {
    let carried = carriedOutput(fullScaleSPL: fullScaleSPL)
    switch wish {
    case .nothing:
      return session.preset.apply(nil)
    case .given(let preset):
      return session.preset.apply(Self.held(preset, below: carried))
    case .prescribed(let rule):
      source.fitting = listener.fitting(rule, below: carried)
      return session.preset.reload()
    }
  }

  private static func held(_ preset: Preset, below carriedOutput: Double) -> Preset {
    do {
      return try preset.replacingMaximumOutput { min($0, carriedOutput) }
    } catch {
      preconditionFailure("a lower ceiling of \(carriedOutput) dB SPL: \(error)")
    }
  }
}
