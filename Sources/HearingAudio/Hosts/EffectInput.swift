internal import HearingBuffers
internal import HearingDSP
internal import Synchronization

/// Prepares the input of an audio unit for the unit's processor.
///
/// The headroom is an attenuation in dB. `process` attenuates the input by the headroom, and copies
/// a mono input to all channels.
///
/// Any thread may change the headroom. Call `process` on the render thread only. `process` does not
/// allocate memory.
package struct EffectInput: ~Copyable {
  private let target: Atomic<UInt32>
  /// The factor by which the last processed frame was multiplied. Only the render thread uses this
  /// factor.
  private var factor: Float

  /// Creates an input with a headroom in dB. The headroom is clamped to 0…24 dB.
  package init(headroom: Double = 0) {
    factor = Self.factor(headroom)
    target = Atomic(factor.bitPattern)
  }

  /// Changes the headroom in dB. During the next call of `process`, the gain factor changes
  /// linearly from frame to frame until the new gain factor is reached.
  package func setHeadroom(_ headroom: Double) {
    target.store(Self.factor(headroom).bitPattern, ordering: .relaxed)
  }

  /// Returns `headroom` in dB, clamped to the supported range of 0…24. For NaN, the result is 0.
  package static func supported(_ headroom: Double) -> Double { min(24, max(0, headroom)) }

  private static func factor(_ headroom: Double) -> Float {
    Float(CMath.amplitude(decibels: -supported(headroom)))
  }

  /// Prepares the frames of one render call in place. Attenuates the channels that contain input.
  /// Copies the first channel to all channels without input.
  ///
  /// - Parameters:
  ///   - channelCount: The number of output channels.
  ///   - inputChannelCount: The number of channels that contain input. These channels have the
  ///     lowest indices.
  ///   - frameCount: The number of frames in each channel.
  ///   - channel: Returns the samples of a channel.
  package mutating func process(
    channelCount: Int, inputChannelCount: Int, frameCount: Int,
    _ channel: (Int) -> UnsafeMutablePointer<Float>
  ) {
    // Unsafe: the caller guarantees that each channel has `frameCount` frames.
    func row(_ index: Int) -> Row<Float> { unsafe Row(channel(index), count: frameCount) }
    let target = Float(bitPattern: target.load(ordering: .relaxed))
    if factor != 1 || target != 1, frameCount > 0 {
      let step = (target - factor) / Float(frameCount)
      for index in 0..<min(inputChannelCount, channelCount) {
        let samples = row(index)
        for frame in 0..<frameCount { samples[frame] *= factor + step * Float(frame + 1) }
      }
    }
    if frameCount > 0 { factor = target }
    guard inputChannelCount > 0, inputChannelCount < channelCount else { return }
    for index in inputChannelCount..<channelCount { row(index).copy(row(0), count: frameCount) }
  }
}
