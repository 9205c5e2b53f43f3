internal import HearingBuffers
internal import HearingDSP
internal import Synchronization

extension Calibration {
  /// The calibration of sound that is attenuated by some dB: it stands for the same level.
  func attenuated(by decibels: Double) -> Calibration {
    let largest = ProcessorSettings.supportedFullScales.upperBound
    return Calibration(fullScaleSPL: min(largest, fullScaleSPL + decibels))
  }
}

/// Prepares the input of an audio unit for its processor: attenuates it by the headroom, and copies a
/// single channel to both ears.
///
/// The headroom may be changed on any thread; ``process(_:frameCount:)`` belongs to the render thread
/// and allocates nothing.
package struct EffectInput: ~Copyable {
  /// The headrooms in dB that can be set.
  package static let headrooms: ClosedRange<Double> = 0...24

  private let target: Atomic<UInt32>
  /// The factor that the last frame got; used by the render thread only.
  private var factor: Float

  /// An input with a headroom in dB, which is limited to ``headrooms``.
  package init(headroom: Double = 0) {
    factor = Self.factor(headroom)
    target = Atomic(factor.bitPattern)
  }

  /// Changes the headroom in dB; the factor reaches it within the next slice.
  package func setHeadroom(_ headroom: Double) {
    target.store(Self.factor(headroom).bitPattern, ordering: .relaxed)
  }

  private static func factor(_ headroom: Double) -> Float {
    Float(
      CMath.amplitude(
        decibels: -min(max(headroom, headrooms.lowerBound), headrooms.upperBound)))
  }

  /// Prepares one slice in place: attenuates the channels with input, and copies the first of them to
  /// the others.
  ///
  /// - Parameters:
  ///   - channelCount: The number of channels of the output.
  ///   - inputChannelCount: How many of them hold input, from the first on.
  ///   - frameCount: The frames of the slice.
  ///   - channel: The samples of a channel.
  package mutating func process(
    channelCount: Int, inputChannelCount: Int, frameCount: Int,
    _ channel: (Int) -> UnsafeMutablePointer<Float>
  ) {
    // Unsafe: the caller guarantees that each channel holds `frameCount` frames.
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
