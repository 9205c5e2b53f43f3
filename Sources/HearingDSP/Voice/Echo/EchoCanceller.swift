/// Takes out of a microphone's signal what it hears of the loudspeaker.
///
///     var canceller = try EchoCanceller(sampleRate: 16_000)
///     canceller.process(microphone, reference: playback, frameCount: 160)      // on the audio thread
public struct EchoCanceller: ~Copyable {
  /// Frames by which the output lags behind the microphone.
  public var latency: Int { 0 }

  /// The estimated mean square of the echo that is left in the output.
  public private(set) var residualEchoPower: Float = 0

  /// By how many dB the output has less echo than the microphone, smoothed.
  public private(set) var echoReturnLossEnhancement: Float = 0

  /// Builds a canceller.
  public init(sampleRate: Double, tail: Double = 0.128) throws(Failure) {
    guard Self.supportedSampleRates.contains(sampleRate) else {
      throw .sampleRateOutOfRange(sampleRate)
    }
    guard Self.supportedTails.contains(tail) else { throw .tailOutOfRange(tail) }
  }

  /// Processes one block in place.
  public mutating func process(
    _ microphone: UnsafeMutablePointer<Float>, reference: UnsafePointer<Float>, frameCount: Int
  ) {
  }

  /// Forgets the room and the sound heard so far.
  public mutating func reset() {
    residualEchoPower = 0
    echoReturnLossEnhancement = 0
  }
}

extension EchoCanceller {
  /// The sample rates in Hz that a canceller accepts.
  public static var supportedSampleRates: ClosedRange<Double> { 8_000...48_000 }

  /// The tails in seconds that a canceller accepts.
  public static var supportedTails: ClosedRange<Double> { 0.064...0.5 }
}
