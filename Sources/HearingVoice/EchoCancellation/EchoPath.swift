/// The known properties of the path from the loudspeaker to the microphone.
///
///     processor.echoPath = EchoPath(delay: 0.18, tail: 0.128)        // a wireless headset
///
/// When the devices change, the app or the `RouteFollower` of `HearingAudio` sets a new path. The
/// delay and the tail need not be exact. The processor always searches for the true delay, and
/// adapts to the true path.
public struct EchoPath: Sendable, Hashable {
  /// The delay from playback to the microphone in seconds, 0…0.5. The resolution is 0.1 ms.
  public var delay: Double

  /// The length in seconds of the echo that is removed, counted from the start of the echo. The
  /// minimum is 0.064 s. The maximum is the tail that was passed to the initializer of the
  /// processor. The resolution is 0.1 ms. With a shorter tail, the canceller needs less processor
  /// time and adapts faster.
  public var tail: Double

  /// The strength of residual echo suppression, from 0 (none) to 1 (full). A lower strength
  /// preserves more near-end speech. Use a strength below 1 if the echo is weak, for example with
  /// headphones. The strength is stored in steps of 1/255.
  public var suppression: Double

  /// Whether a strong echo is suppressed fully, regardless of ``suppression``. A strong echo is
  /// less than 25 dB softer than the playback. Headphones cannot cause a strong echo. Set this
  /// property to true if the device is probably a pair of headphones, but may be a loudspeaker.
  public var raisesSuppression: Bool

  /// Creates a path.
  ///
  /// - Parameters:
  ///   - delay: The delay in seconds, 0…0.5; default 0.
  ///   - tail: The tail in seconds, within ``EchoCanceller/supportedTails``. The default is 0.5,
  ///     which selects the tail that was passed to the initializer of the processor.
  ///   - suppression: The strength of residual echo suppression, 0…1; default 1.
  ///   - raisesSuppression: Whether a strong echo is suppressed fully; default false.
  public init(
    delay: Double = 0, tail: Double = 0.5, suppression: Double = 1, raisesSuppression: Bool = false
  ) {
    precondition((0...0.5).contains(delay), "delay must be 0…0.5 s, not \(delay)")
    precondition(
      EchoCanceller.supportedTails.contains(tail),
      "tail must be \(EchoCanceller.supportedTails) s, not \(tail)")
    precondition((0...1).contains(suppression), "suppression must be 0…1, not \(suppression)")
    self.delay = delay
    self.tail = tail
    self.suppression = suppression
    self.raisesSuppression = raisesSuppression
  }
}

extension EchoPath: PackedWord {
  init() { self.init(delay: 0) }

  mutating func code(_ coder: inout WordCoder) {
    // The order of the arguments of `max` is important. If `tail` is NaN, the result must be 0.064.
    tail = max(0.064, tail)
    coder.code(&delay, in: 0...0.5, steps: 10_000, bits: 13)
    coder.code(&tail, in: 0...0.5, steps: 10_000, bits: 13)
    coder.code(&suppression, in: 0...1, steps: 255, bits: 8)
    coder.code(&raisesSuppression)
  }
}
