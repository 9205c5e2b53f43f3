/// The known properties of the path from the loudspeaker to the microphone.
///
///     processor.echoPath = EchoPath(delay: 0.18, tail: 0.128)        // a wireless headset
///
/// It depends on the devices, so an app, or the `RouteFollower` of `HearingAudio`, sets it when
/// they change. It need not be exact: the processor always searches for the delay, and estimates
/// the path itself.
public struct EchoPath: Sendable, Hashable {
  /// The delay from playback to the microphone in seconds, 0…0.5. Steps of 0.1 ms.
  public var delay: Double

  /// The time after the start of the echo in which echo is removed, in seconds, at least 0.064.
  /// Values above the processor's tail have the same effect as that tail. Steps of 0.1 ms. A
  /// shorter tail costs less and adapts faster.
  public var tail: Double

  /// The strength of residual echo suppression, 0…1: 1 applies the computed suppression, 0 none.
  /// Values below 1 keep more near talk where echo is weak, as with headphones. Steps of 1/255.
  public var suppression: Double

  /// A path.
  ///
  /// - Parameters:
  ///   - delay: In seconds, 0…0.5; default 0.
  ///   - tail: In seconds, ``EchoCanceller/supportedTails``; default 0.5, so the processor's tail
  ///     applies.
  ///   - suppression: 0…1; default 1.
  public init(delay: Double = 0, tail: Double = 0.5, suppression: Double = 1) {
    precondition((0...0.5).contains(delay), "delay must be 0…0.5 s, not \(delay)")
    precondition(
      EchoCanceller.supportedTails.contains(tail),
      "tail must be \(EchoCanceller.supportedTails) s, not \(tail)")
    precondition((0...1).contains(suppression), "suppression must be 0…1, not \(suppression)")
    self.delay = delay
    self.tail = tail
    self.suppression = suppression
  }

  /// Unpacks a path.
  init(word: UInt64) {
    delay = Double(word & 0x1FFF) / 10_000
    tail = Double((word >> 13) & 0x1FFF) / 10_000
    suppression = Double((word >> 26) & 0xFF) / 255
  }

  /// The path in one word; values out of range become the nearest valid ones.
  var word: UInt64 {
    let delay = UInt64((min(max(delay, 0), 0.5) * 10_000).rounded())
    let tail = UInt64((min(max(tail, 0.064), 0.5) * 10_000).rounded())
    let suppression = UInt64((min(max(suppression, 0), 1) * 255).rounded())
    return delay | tail << 13 | suppression << 26
  }
}
