/// Measures RMS and peak of each channel over everything it is given.
///
///     var meter = LevelMeter(channelCount: 2)
///     meter.add(block)
///     print(meter.readings[0].rmsDecibels)
///
/// Levels are relative to 1.0: a sine of amplitude 1 has an RMS of −3.01 dB, a peak of 0 dB.
/// Samples that are not finite are left out of both and counted. Not for loudness as it is heard
/// (no weighting), nor for the level of speech with pauses: that is ``ActiveSpeechLevel``.
public struct LevelMeter: Sendable {
  /// The number of frames measured so far.
  public private(set) var frameCount = 0

  /// The samples of any channel that were infinite or no number.
  public private(set) var nonFiniteSampleCount = 0

  private var energies: [Double]
  private var peaks: [Float]

  /// Makes a meter for `channelCount` channels, at least 1.
  public init(channelCount: Int) {
    precondition(channelCount >= 1, "\(channelCount) channels")
    energies = Array(repeating: 0, count: channelCount)
    peaks = Array(repeating: 0, count: channelCount)
  }

  /// The number of channels.
  public var channelCount: Int { energies.count }

  /// One reading for each channel.
  public var readings: [Reading] {
    zip(energies, peaks).map { energy, peak in
      Reading(
        rms: frameCount > 0 ? (energy / Double(frameCount)).squareRoot() : 0, peak: Double(peak))
    }
  }

  /// The RMS of all channels together: their powers averaged.
  public var rms: Double {
    let energy = energies.reduce(0, +)
    return frameCount > 0 ? (energy / Double(frameCount * energies.count)).squareRoot() : 0
  }

  /// Measures `frameCount` frames of as many channels as the meter has.
  public mutating func add(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) {
    for channel in energies.indices {
      let samples = UnsafePointer(channels[channel])
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

  /// Measures the frames of `block` that hold sound.
  public mutating func add(_ block: AudioBlock) {
    precondition(
      block.channelCount == channelCount, "\(block.channelCount) of \(channelCount) channels")
    add(block.channels, frameCount: block.frameCount)
  }

  /// Forgets everything measured so far.
  public mutating func reset() {
    self = LevelMeter(channelCount: energies.count)
  }
}
