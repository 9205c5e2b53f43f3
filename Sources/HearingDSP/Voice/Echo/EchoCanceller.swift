/// Takes out of a microphone's signal what it hears of the loudspeaker.
///
///     var canceller = try EchoCanceller(sampleRate: 16_000)
///     canceller.process(microphone, reference: playback, frameCount: 160)      // on the audio thread
public struct EchoCanceller: ~Copyable {
  private let state: UnsafeMutablePointer<EchoState>

  /// Frames by which the output lags behind the microphone.
  public var latency: Int { 0 }

  /// The estimated mean square of the echo that is left in the output.
  public var residualEchoPower: Float { state.pointee.residual.power }

  /// By how many dB the output has less echo than the microphone, smoothed.
  public var echoReturnLossEnhancement: Float {
    let (heard, left) = (state.pointee.residual.heard, state.pointee.residual.left)
    guard heard > 1e-12, left > 1e-14 else { return 0 }
    return Float(10 * Elementary.commonLogarithm(Double(heard / left)))
  }

  /// Builds a canceller.
  public init(sampleRate: Double, tail: Double = 0.192) throws(Failure) {
    guard Self.supportedSampleRates.contains(sampleRate) else {
      throw .sampleRateOutOfRange(sampleRate)
    }
    guard Self.supportedTails.contains(tail) else { throw .tailOutOfRange(tail) }
    state = .allocate(capacity: 1)
    state.initialize(
      to: EchoState(
        plan: EchoPlan(sampleRate: sampleRate, tail: tail), sampleRate: sampleRate))
  }

  deinit {
    state.pointee.deallocate()
    state.deallocate()
  }

  /// Processes one block in place.
  public mutating func process(
    _ microphone: UnsafeMutablePointer<Float>, reference: UnsafePointer<Float>, frameCount: Int
  ) {
    EchoRendering.process(state, microphone, reference: reference, frameCount: frameCount)
  }

  /// Forgets the room and the sound heard so far.
  public mutating func reset() {
    state.pointee.clear()
  }
}

extension EchoCanceller {
  /// The sample rates in Hz that a canceller accepts.
  public static var supportedSampleRates: ClosedRange<Double> { 8_000...48_000 }

  /// The tails in seconds that a canceller accepts.
  public static var supportedTails: ClosedRange<Double> { 0.064...0.5 }
}
