internal import HearingBuffers
internal import HearingDSP

/// Measures the RMS level and the peak level of each channel.
///
///     var meter = LevelMeter(channelCount: 2)
///     meter.add(block)
///     print(meter.readings[0].rmsDecibels)
///
/// Levels in dB are relative to a sample of 1.0. For example, a sine of amplitude 1 has an RMS of
/// −3.01 dB and a peak of 0 dB. Infinite samples and NaN samples count as 0.
/// ``nonFiniteSampleCount`` is the number of infinite and NaN samples. The levels are not loudness
/// levels, because the meter does not weight frequencies by the sensitivity of the ear. For speech
/// with pauses, use ``ActiveSpeechLevel``.
public struct LevelMeter: Sendable {
  /// The number of frames measured so far.
  public private(set) var frameCount = 0

  /// The number of samples in all channels that were infinite or NaN.
  public private(set) var nonFiniteSampleCount = 0

  private var energies: [Double]
  private var peaks: [Float]

  /// Creates a meter for `channelCount` channels. `channelCount` must be at least 1.
  public init(channelCount: Int) {
    precondition(channelCount >= 1, "\(channelCount) channels")
    energies = Array(repeating: 0, count: channelCount)
    peaks = Array(repeating: 0, count: channelCount)
  }

  /// The number of channels.
  public var channelCount: Int { energies.count }

  /// The levels of each channel.
  public var readings: [Reading] {
    zip(energies, peaks).map { energy, peak in
      Reading(
        rms: frameCount > 0 ? (energy / Double(frameCount)).squareRoot() : 0, peak: Double(peak))
    }
  }

  /// The RMS of all channels together: the square root of the mean power of the channels.
  public var rms: Double {
    let energy = energies.reduce(0, +)
    return frameCount > 0 ? (energy / Double(frameCount * energies.count)).squareRoot() : 0
  }

  /// Measures `frameCount` frames of ``channelCount`` channels.
  public mutating func add(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) {
    // Unsafe: the caller guarantees that each row has `frameCount` frames.
    let rows = unsafe ChannelRows(
      pointers: channels, channelCount: channelCount, frameCount: frameCount)
    for channel in energies.indices {
      let samples = rows[channel]
      var energy = 0.0
      var peak: Float = 0
      var excluded = 0
      for frame in 0..<frameCount {
        let magnitude = abs(samples[frame])
        let isFinite = magnitude < .infinity
        let value = isFinite ? magnitude : 0
        excluded &+= isFinite ? 0 : 1
        energy += Double(value) * Double(value)
        peak = max(peak, value)
      }
      energies[channel] += energy
      peaks[channel] = max(peaks[channel], peak)
      nonFiniteSampleCount += excluded
    }
    self.frameCount += frameCount
  }

  /// Measures the valid frames of `block`, which has ``channelCount`` channels.
  public mutating func add(_ block: AudioBlock) {
    block.check(channelCount)
    // Unsafe: each row of the block has `frameCount` frames.
    unsafe add(block.channels, frameCount: block.frameCount)
  }
}

extension LevelMeter {
  /// The levels of one channel.
  public struct Reading: Sendable, Equatable {
    /// The RMS of the samples, at least 0.
    public let rms: Double

    /// The largest magnitude of a sample, at least 0.
    public let peak: Double

    /// The level of ``rms`` in dB relative to 1.0. For silence, the level is −∞.
    public var rmsDecibels: Double { CMath.decibels(amplitude: rms) }

    /// The level of ``peak`` in dB relative to 1.0. For silence, the level is −∞.
    public var peakDecibels: Double { CMath.decibels(amplitude: peak) }
  }
}
