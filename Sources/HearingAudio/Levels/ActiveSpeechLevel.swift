internal import Foundation

/// Measures how loud speech is while somebody speaks, pauses left out: ITU-T P.56, method B.
///
///     var meter = ActiveSpeechLevel(sampleRate: 48_000, channelCount: 1)
///     meter.add(block)
///     if let reading = meter.reading {
///       print(reading.activeLevel, reading.activityFactor)
///     }
///
/// The magnitude of the sound is smoothed twice, with time constants of 30 ms. For thresholds 6 dB
/// apart it is counted how long this envelope is above them, each time 200 ms longer. The active
/// level is the energy divided by that time, for the threshold that lies 15.9 dB below the very
/// result; between thresholds it is interpolated, linearly in dB, which is where the
/// Recommendation's bisection converges.
///
/// Here the thresholds begin at 2⁻¹⁵, one step of 16 bits, and go on without end, so that sound
/// beyond full scale is measured too; below some −74 dB nothing counts as active. Of several
/// channels the power is averaged, frame by frame. There is no band filter in front: rumble and
/// offset count as sound. Samples that are not finite count as silence.
///
/// Meant for whole recordings, in which somebody speaks for at least some seconds. Not for steady
/// monitoring of a live stream, and not for clicks, which are too short for the method.
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
  private static let lowestExponent = -15
  /// One threshold for each power of two up to the largest `Float`, and one more below them all.
  private static let levelCount = 128 - lowestExponent + 1

  private let smoothing: Double
  private let hangoverFrames: Int
  private var energy = 0.0
  private var firstEnvelope = 0.0
  private var secondEnvelope = 0.0
  /// Index k > 0 stands for the threshold 2^(lowestExponent + k − 1), 0 for less than all.
  private var level = 0
  /// The last frame at which the envelope stood at a level.
  private var lastSeen: [Int]
  /// For how many frames a level was the highest that was active.
  private var frames: [Int]

  /// Makes a meter.
  ///
  /// - Parameters:
  ///   - sampleRate: Frames a second, more than 0; P.56 asks for at least 694.
  ///   - channelCount: The number of channels, at least 1.
  public init(sampleRate: Double, channelCount: Int) {
    precondition(sampleRate > 0 && sampleRate.isFinite, "sample rate \(sampleRate)")
    precondition(channelCount >= 1, "\(channelCount) channels")
    self.channelCount = channelCount
    smoothing = exp(-1 / (sampleRate * Self.timeConstant))
    hangoverFrames = Int((sampleRate * Self.hangover).rounded())
    lastSeen = Array(repeating: .min / 2, count: Self.levelCount)
    frames = Array(repeating: 0, count: Self.levelCount)
  }

  /// The result so far; `nil` if nothing is active, because there is silence or next to it, or
  /// only sound too short for the method.
  public var reading: Reading? {
    guard energy > 0, frameCount > 0 else { return nil }
    var above: (level: Double, excess: Double)?
    // A level is active also while a higher one is.
    var active = frames.reduce(0, +) - frames[0]
    for index in 1..<Self.levelCount {
      guard active > 0 else { return nil }
      let level = 10 * log10(energy / Double(active))
      let threshold = 20 * log10(2) * Double(Self.lowestExponent + index - 1)
      let excess = level - threshold - Self.margin
      if excess <= 0 {
        guard let above else { return excess == 0 ? reading(level) : nil }
        let part = above.excess / (above.excess - excess)
        return reading(above.level + (level - above.level) * part)
      }
      above = (level, excess)
      active -= frames[index]
    }
    return nil
  }

  /// Measures `frameCount` frames of as many channels as the meter has.
  public mutating func add(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) {
    // The work is done on a copy on the stack: properties are slow in the inner loop.
    var run = Run(
      smoothing: smoothing, hangoverFrames: hangoverFrames, frame: self.frameCount, energy: energy,
      first: firstEnvelope, second: secondEnvelope, level: level)
    lastSeen.withUnsafeMutableBufferPointer { lastSeen in
      frames.withUnsafeMutableBufferPointer { frames in
        for frame in 0..<frameCount {
          var power = 0.0
          for channel in 0..<channelCount {
            let sample = channels[channel][frame]
            let value = abs(sample) < .infinity ? Double(sample) : 0
            power += value * value
          }
          run.add(power: power / Double(channelCount), lastSeen: lastSeen, frames: frames)
        }
      }
    }
    energy = run.energy
    firstEnvelope = run.first
    secondEnvelope = run.second
    level = run.level
    self.frameCount = run.frame
  }

  /// Measures the frames of `block` that hold sound.
  public mutating func add(_ block: AudioBlock) {
    precondition(
      block.channelCount == channelCount, "\(block.channelCount) of \(channelCount) channels")
    add(block.channels, frameCount: block.frameCount)
  }

  private func reading(_ activeLevel: Double) -> Reading {
    Reading(
      activeLevel: activeLevel, longTermLevel: 10 * log10(energy / Double(frameCount)))
  }

  /// The level that an envelope reaches.
  private static func level(of envelope: Double) -> Int {
    guard envelope >= 0x1p-15 else { return 0 }
    return min(levelCount - 1, Int(envelope.exponent) - lowestExponent + 1)
  }

  private struct Run {
    let smoothing: Double
    let hangoverFrames: Int
    var frame: Int
    var energy: Double
    var first: Double
    var second: Double
    var level: Int

    @inline(__always)
    mutating func add(
      power: Double, lastSeen: UnsafeMutableBufferPointer<Int>,
      frames: UnsafeMutableBufferPointer<Int>
    ) {
      energy += power
      // Without the offset the envelopes of a long silence would end in denormal numbers, which
      // are slow; it lies 500 dB below the lowest threshold.
      let magnitude = power.squareRoot() + 1e-30
      first = smoothing * first + (1 - smoothing) * magnitude
      second = smoothing * second + (1 - smoothing) * first
      let reached = ActiveSpeechLevel.level(of: second)
      lastSeen[reached] = frame
      if reached >= level {
        level = reached
      } else {
        while level > reached, frame - lastSeen[level] > hangoverFrames { level -= 1 }
      }
      frames[level] += 1
      frame += 1
    }
  }
}

extension ActiveSpeechLevel {
  /// Measures all that is left of `source`, in constant memory.
  ///
  /// - Parameters:
  ///   - source: What is read, to its end.
  ///   - isCancelled: Asked before every read; a cancelled task counts as well.
  /// - Throws: What the source throws, or `CancellationError`.
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
