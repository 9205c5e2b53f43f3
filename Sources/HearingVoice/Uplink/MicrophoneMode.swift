/// Specifies how a call processes the microphone signal before the signal is sent to the other end.
///
///     processor.microphoneMode = .voiceIsolation
///     processor.microphoneMode.noiseSuppression = 0.4
///
/// The static properties, such as ``standard``, are presets. Each property of a mode may also be
/// set separately. When the mode changes, the signal cross-fades within 10 ms. Therefore the change
/// causes no click. A mode that suppresses residual echo or noise has a latency of 10 ms; all other
/// modes have no latency.
public struct MicrophoneMode: Sendable, Hashable {
  /// Whether the echo of playback is removed.
  public var cancelsEcho: Bool

  /// Whether residual echo is suppressed. Residual echo is echo that remains after the linear echo
  /// canceller. While ``cancelsEcho`` is false, ``suppressesResidualEcho`` has no effect.
  public var suppressesResidualEcho: Bool

  /// The strength of noise suppression, 0…1. The strength 0 switches noise suppression off. The
  /// strength 1 reduces noise by up to 40 dB. The strength is stored in steps of 1/255.
  public var noiseSuppression: Double

  /// Whether DC offset and rumble below 80 Hz are removed. DC offset and rumble are also removed if
  /// ``controlsGain`` is true.
  public var removesRumble: Bool

  /// Whether ``GainControl`` brings speech to a steady level. When gain control is switched on, the
  /// gain starts at 0 dB.
  public var controlsGain: Bool

  /// Whether comfort noise replaces the room noise that echo suppression removes. While
  /// ``suppressesResidualEcho`` is false, ``addsComfortNoise`` has no effect.
  public var addsComfortNoise: Bool

  /// Creates a mode. By default, all processing is off.
  ///
  /// - Parameters:
  ///   - cancelsEcho: Whether the linear echo canceller is on.
  ///   - suppressesResidualEcho: Whether residual echo is suppressed.
  ///   - noiseSuppression: The strength of noise suppression, 0…1.
  ///   - removesRumble: Whether DC offset and rumble below 80 Hz are removed.
  ///   - controlsGain: Whether the level of speech is controlled.
  ///   - addsComfortNoise: Whether comfort noise replaces the room noise that echo suppression
  ///     removes.
  public init(
    cancelsEcho: Bool = false, suppressesResidualEcho: Bool = false, noiseSuppression: Double = 0,
    removesRumble: Bool = false, controlsGain: Bool = false, addsComfortNoise: Bool = false
  ) {
    precondition(
      (0...1).contains(noiseSuppression), "noiseSuppression must be 0…1, not \(noiseSuppression)")
    self.cancelsEcho = cancelsEcho
    self.suppressesResidualEcho = suppressesResidualEcho
    self.noiseSuppression = noiseSuppression
    self.removesRumble = removesRumble
    self.controlsGain = controlsGain
    self.addsComfortNoise = addsComfortNoise
  }
}

extension MicrophoneMode {
  /// The linear echo canceller is the only processing. There is no latency.
  public static var linear: Self { Self(cancelsEcho: true) }

  /// Echo is cancelled, and residual echo is suppressed. Other sounds do not change.
  public static var wideSpectrum: Self {
    Self(cancelsEcho: true, suppressesResidualEcho: true, addsComfortNoise: true)
  }

  /// Echo and rumble are removed, and speech has a steady level. Noise is reduced by up
  /// to 20 dB.
  public static var standard: Self {
    Self(
      cancelsEcho: true, suppressesResidualEcho: true, noiseSuppression: 0.5, removesRumble: true,
      controlsGain: true, addsComfortNoise: true)
  }

  /// Like ``standard``, but with more noise suppression. Noise is reduced by up to 40 dB.
  public static var voiceIsolation: Self {
    Self(
      cancelsEcho: true, suppressesResidualEcho: true, noiseSuppression: 1, removesRumble: true,
      controlsGain: true, addsComfortNoise: true)
  }

  /// There is no processing, and the output is bit-identical to the microphone signal.
  public static var bypass: Self { Self() }
}

extension MicrophoneMode: PackedWord {
  init() { self.init(cancelsEcho: false) }

  mutating func code(_ coder: inout WordCoder) {
    coder.code(&cancelsEcho)
    coder.code(&suppressesResidualEcho)
    coder.code(&removesRumble)
    coder.code(&controlsGain)
    coder.code(&addsComfortNoise)
    coder.code(&noiseSuppression, in: 0...1, steps: 255, bits: 8)
  }
}
