internal import HearingBuffers
internal import HearingDSP

/// Measures the level of speech without its pauses, with method B of ITU-T P.56.
///
///     var meter = ActiveSpeechLevel(sampleRate: 48_000, channelCount: 1)
///     meter.add(block)
///     if let reading = meter.reading {
///       print(reading.activeLevel, reading.activityFactor)
///     }
///
/// The meter smooths the magnitude of the signal twice, with a time constant of 30 ms. The result
/// is the envelope of the signal. The meter compares the envelope with thresholds that are 6 dB
/// apart. For each threshold, the meter measures the active time. The active time is the time
/// during which the envelope is above the threshold, plus up to 200 ms (hangover) after each such
/// period. For each threshold, the meter computes a level: the signal's energy divided by the
/// active time, in dB. The active speech level is the level that is exactly 15.9 dB above the
/// corresponding threshold. The meter finds the active speech level by linear interpolation in dB
/// between two thresholds. The bisection method in Recommendation P.56 gives the same active speech
/// level.
///
/// The lowest threshold is 2⁻¹⁵, which is the difference between two neighbouring 16-bit samples.
/// Samples beyond ±1.0 are also measured. If the speech level is below about −74 dB relative to an
/// RMS of 1.0, the meter finds no active speech. The power of a frame is the mean of the powers of
/// all channels. The meter has no band-pass filter. Therefore low-frequency noise and a DC offset
/// increase the level. Infinite samples and NaN samples count as 0.
///
/// Use the meter for recordings with at least a few seconds of speech. Do not use the meter for
/// live streams. Method B is not suitable for very short sounds such as clicks.
///
/// Source: ITU-T Recommendation P.56 (12/2011), clause 8.
public struct ActiveSpeechLevel: Sendable {
  /// The number of frames measured so far.
  public private(set) var frameCount = 0

  /// The number of channels.
  public let channelCount: Int

  private static let timeConstant = 0.03
  private static let hangover = 0.2
  private static let margin = 15.9
  private static let minimumExponent = -15
  /// The number of level indices. Index 0 stands for an envelope below 2⁻¹⁵. Each other index
  /// stands for an envelope from one power of two up to the next power of two. The last of these
  /// powers is 2¹²⁷, because a `Float` is less than 2¹²⁸.
  private static let levelCount = 128 - minimumExponent + 1

  private let smoothing: Double
  private let hangoverFrames: Int
  private var energy = 0.0
  private var firstEnvelope = 0.0
  private var secondEnvelope = 0.0
  /// The index of the highest active threshold. A threshold is active while the envelope is above
  /// the threshold, and during the hangover afterwards. An index k above 0 stands for the threshold
  /// 2^(`minimumExponent` + k − 1). Index 0 means that no threshold is active.
  private var level = 0
  /// For each level index, the index of the last frame in which the envelope had this level index.
  private var lastSeen: [Int]
  /// For each level index, the number of frames in which `level` was equal to this level index.
  private var frames: [Int]

  /// Creates a meter.
  ///
  /// - Parameters:
  ///   - sampleRate: The sample rate in Hz, more than 0. P.56 requires at least 694 Hz.
  ///   - channelCount: The number of channels, at least 1.
  public init(sampleRate: Double, channelCount: Int) {
    precondition(sampleRate > 0 && sampleRate.isFinite, "sample rate \(sampleRate)")
    precondition(channelCount >= 1, "\(channelCount) channels")
    self.channelCount = channelCount
    smoothing = CMath.exponential(-1 / (sampleRate * Self.timeConstant))
    hangoverFrames = Int((sampleRate * Self.hangover).rounded())
    lastSeen = Array(repeating: .min / 2, count: Self.levelCount)
    frames = Array(repeating: 0, count: Self.levelCount)
  }

  /// The result for all frames that have been added. Nil if the meter found no active speech, for
  /// example in a recording that is too quiet or too short.
  ///
  /// `activeLevel` is the level while speech is active. `longTermLevel` is the level over the whole
  /// measured time. Both levels are in dB relative to an RMS of 1.0. `activityFactor` is the
  /// fraction of the measured time during which speech is active, 0…1.
  public var reading: (activeLevel: Double, longTermLevel: Double, activityFactor: Double)? {
    guard energy > 0, frameCount > 0 else { return nil }
    var above: (level: Double, excess: Double)?
    // The active time of the threshold, in frames. While a threshold is active, all lower
    // thresholds are also active. Therefore the active time includes the frames of all higher
    // thresholds.
    var active = frames.reduce(0, +) - frames[0]
    for index in 1..<Self.levelCount {
      guard active > 0 else { return nil }
      let level = CMath.decibels(power: energy / Double(active))
      let threshold = CMath.decibels(amplitude: 2) * Double(Self.minimumExponent + index - 1)
      let excess = level - threshold - Self.margin
      if excess <= 0 {
        guard let above else { return nil }
        let fraction = above.excess / (above.excess - excess)
        let activeLevel = above.level + (level - above.level) * fraction
        let longTermLevel = CMath.decibels(power: energy / Double(frameCount))
        return (activeLevel, longTermLevel, CMath.power(decibels: longTermLevel - activeLevel))
      }
      above = (level, excess)
      active -= frames[index]
    }
    return nil
  }

  /// Measures `frameCount` frames of ``channelCount`` channels.
  public mutating func add(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) {
    // Unsafe: the caller guarantees that each row has `frameCount` frames.
    let rows = unsafe ChannelRows(
      pointers: channels, channelCount: channelCount, frameCount: frameCount)
    for frame in 0..<frameCount {
      var power = 0.0
      for channel in 0..<channelCount {
        let sample = rows[channel][frame]
        let value = abs(sample) < .infinity ? Double(sample) : 0
        power += value * value
      }
      power /= Double(channelCount)
      energy += power
      // The offset of 10⁻³⁰ prevents denormals, which make the computation slow. The offset is
      // about 500 dB below the lowest threshold.
      let magnitude = power.squareRoot() + 1e-30
      firstEnvelope = smoothing * firstEnvelope + (1 - smoothing) * magnitude
      secondEnvelope = smoothing * secondEnvelope + (1 - smoothing) * firstEnvelope
      // The index of the highest threshold at or below the envelope. If the envelope is below all
      // thresholds, the index is 0.
      let exponent = min(Int(secondEnvelope.exponent), 127)
      let reached = max(0, exponent - Self.minimumExponent + 1)
      lastSeen[reached] = self.frameCount
      if reached >= level {
        level = reached
      } else {
        while level > reached, self.frameCount - lastSeen[level] > hangoverFrames { level -= 1 }
      }
      frames[level] += 1
      self.frameCount += 1
    }
  }

  /// Measures the valid frames of `block`, which has ``channelCount`` channels.
  public mutating func add(_ block: AudioBlock) {
    block.check(channelCount)
    // Unsafe: each row of the block has `frameCount` frames.
    unsafe add(block.channels, frameCount: block.frameCount)
  }
}

extension ActiveSpeechLevel {
  /// Measures the remaining frames of `source`. The memory use does not depend on the number of
  /// frames.
  ///
  /// - Parameters:
  ///   - source: The source of the frames. The source is read to its end.
  ///   - isCancelled: A closure that is called before each block is read. If the closure returns
  ///     true, or if the current task is cancelled, the measurement stops.
  /// - Throws: The error of the source, or `CancellationError` if the measurement was cancelled.
  public static func measure(
    _ source: some FrameSource, isCancelled: () -> Bool = { false }
  ) throws -> ActiveSpeechLevel {
    var meter = ActiveSpeechLevel(
      sampleRate: source.sampleRate, channelCount: source.channelCount)
    let block = AudioBlock(channelCount: source.channelCount, capacity: 1024)
    repeat {
      if isCancelled() || Task.isCancelled { throw CancellationError() }
      try source.read(into: block)
      meter.add(block)
    } while block.frameCount == block.capacity
    return meter
  }
}
