internal import HearingBuffers
internal import HearingDSP

/// Measures the level of speech with method B of ITU-T P.56. Pauses do not count.
///
///     var meter = ActiveSpeechLevel(sampleRate: 48_000, channelCount: 1)
///     meter.add(block)
///     if let reading = meter.reading {
///       print(reading.activeLevel, reading.activityFactor)
///     }
///
/// The envelope is the magnitude of the signal, smoothed twice with a time constant of 30 ms. The
/// envelope is compared with thresholds that are 6 dB apart. For each threshold, the meter measures
/// the active time. The active time is the time during which the envelope is above the threshold,
/// plus a hangover of 200 ms. For each threshold, the signal's energy divided by the active time
/// gives a level. The active speech level is the level that is exactly 15.9 dB above its threshold.
/// The meter finds the active speech level by linear interpolation in dB between two thresholds.
/// The bisection method in Recommendation P.56 gives the same value.
///
/// The lowest threshold is 2⁻¹⁵, which is one step of a 16-bit sample. Samples beyond full scale
/// are also measured. A signal below about −74 dB does not count as active. The power of a frame is
/// the mean over the channels. The meter has no band-pass filter, so rumble and a DC offset
/// increase the level. Samples that are not finite count as 0.
///
/// Use the meter for recordings with at least a few seconds of speech, but not for live streams.
/// Method B is not suitable for very short sounds such as clicks.
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
  /// The number of level indices. Each power of two from 2⁻¹⁵ to the largest `Float` has one index.
  /// Envelopes below 2⁻¹⁵ have index 0.
  private static let levelCount = 128 - minimumExponent + 1

  private let smoothing: Double
  private let hangoverFrames: Int
  private var energy = 0.0
  private var firstEnvelope = 0.0
  private var secondEnvelope = 0.0
  /// The index of the highest active threshold. An index k above 0 means the threshold
  /// 2^(`minimumExponent` + k − 1). Index 0 means that no threshold is active.
  private var level = 0
  /// For each level index, the number of the last frame in which the envelope had this index.
  private var lastSeen: [Int]
  /// For each level index, the number of frames in which `level` was equal to this index.
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
  /// fraction of time, 0…1, during which speech is active.
  public var reading: (activeLevel: Double, longTermLevel: Double, activityFactor: Double)? {
    guard energy > 0, frameCount > 0 else { return nil }
    var above: (level: Double, excess: Double)?
    // While a threshold is active, all lower thresholds are also active.
    var active = frames.reduce(0, +) - frames[0]
    for index in 1..<Self.levelCount {
      guard active > 0 else { return nil }
      let level = CMath.decibels(power: energy / Double(active))
      let threshold = CMath.decibels(amplitude: 2) * Double(Self.minimumExponent + index - 1)
      let excess = level - threshold - Self.margin
      if excess <= 0 {
        guard let above else { return excess == 0 ? reading(level) : nil }
        let fraction = above.excess / (above.excess - excess)
        return reading(above.level + (level - above.level) * fraction)
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
      // The index of the highest threshold at or below the envelope, or 0.
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

  private func reading(
    _ activeLevel: Double
  ) -> (activeLevel: Double, longTermLevel: Double, activityFactor: Double) {
    let longTermLevel = CMath.decibels(power: energy / Double(frameCount))
    return (activeLevel, longTermLevel, CMath.power(decibels: longTermLevel - activeLevel))
  }
}

extension ActiveSpeechLevel {
  /// Measures the remaining frames of `source`, in constant memory.
  ///
  /// - Parameters:
  ///   - source: The source, which is read to its end.
  ///   - isCancelled: Called before every read. If the closure returns true, or if the current task
  ///     is cancelled, the measurement stops.
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
