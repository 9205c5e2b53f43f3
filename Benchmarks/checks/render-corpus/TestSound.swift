import Foundation

/// One channel of sound that consists of segments: speech-like noise, tones, square waves,
/// impulses, denormals and silence.
struct TestSound {
  /// The sequence of segments.
  enum Programme {
    /// Segments of all kinds, 5 to 150 ms long.
    case everything
    /// A loud burst, then quiet sound until a limiter has recovered, then silence.
    case bursts
    /// Speech-like noise throughout.
    case speech
  }

  private enum Kind: CaseIterable {
    case speech, noise, tone, square, impulses, constant, denormals, silence
  }

  private let sampleRate: Double
  private let programme: Programme
  private var generator: SeededGenerator
  private var kind = Kind.silence
  private var remaining = 0
  private var segment = 0
  private var amplitude: Float = 0
  /// The phase of the tone or of the syllables, in periods.
  private var phase = 0.0
  private var step = 0.0
  private var low: Float = 0

  init(_ programme: Programme, sampleRate: Double, seed: UInt64) {
    self.programme = programme
    self.sampleRate = sampleRate
    generator = SeededGenerator(seed: seed)
  }

  mutating func fill(_ samples: UnsafeMutablePointer<Float>, count: Int) {
    var done = 0
    while done < count {
      if remaining == 0 { startSegment() }
      let part = min(remaining, count - done)
      fillPart(samples + done, count: part)
      remaining -= part
      done += part
    }
  }

  private mutating func startSegment() {
    var seconds: Double
    var decibels: Double
    switch programme {
    case .everything:
      kind = generator.pick(Kind.allCases)
      seconds = generator.logarithmic(0.005, 0.15)
      decibels = generator.number(-70, 12)
    case .bursts:
      switch segment % 4 {
      case 0: (kind, seconds, decibels) = (.noise, 0.05, generator.number(0, 20))
      case 1: (kind, seconds, decibels) = (.speech, 0.25, -30)
      case 2: (kind, seconds, decibels) = (.tone, 1, -60)
      default: (kind, seconds, decibels) = (.silence, generator.number(0.1, 0.9), 0)
      }
    case .speech:
      (kind, seconds, decibels) = (.speech, 10, -12)
    }
    segment += 1
    remaining = max(1, Int(seconds * sampleRate))
    amplitude = Float(pow(10, decibels / 20))
    phase = 0
    let frequency =
      kind == .speech ? 5 : generator.logarithmic(50, min(12_000, 0.4 * sampleRate))
    step = frequency / sampleRate
  }

  private mutating func fillPart(_ samples: UnsafeMutablePointer<Float>, count: Int) {
    switch kind {
    case .speech:
      for index in 0..<count {
        let progress = Float(phase) / 0.7
        let envelope = progress < 1 ? 4 * progress * (1 - progress) : 0
        let white = generator.noise()
        low += 0.2 * (white - low)
        samples[index] = amplitude * envelope * (low + 0.2 * white)
        advance()
      }
    case .noise:
      for index in 0..<count { samples[index] = amplitude * generator.noise() }
    case .tone:
      for index in 0..<count {
        samples[index] = amplitude * Float(sin(2 * Double.pi * phase))
        advance()
      }
    case .square:
      for index in 0..<count {
        samples[index] = phase < 0.5 ? amplitude : -amplitude
        advance()
      }
    case .impulses:
      for index in 0..<count {
        samples[index] = phase < step ? amplitude : 0
        advance()
      }
    case .constant:
      for index in 0..<count { samples[index] = amplitude }
    case .denormals:
      // These samples are denormals, or slightly above the magnitude that filters treat as silence.
      for index in 0..<count { samples[index] = generator.noise() * (phase < 0.5 ? 1e-39 : 1e-19) }
    case .silence:
      for index in 0..<count { samples[index] = 0 }
    }
  }

  private mutating func advance() {
    phase += step
    if phase >= 1 { phase -= 1 }
  }
}

/// Invalid and extreme samples.
enum BrokenSample {
  private static let patterns: [UInt32] = [
    0x7FC0_0000, 0xFFC1_2345, 0x7F80_0001, 0x7F80_0000, 0xFF80_0000, Float(1e30).bitPattern,
    Float(-1e30).bitPattern, 0x7F7F_FFFF, Float(1e10).bitPattern, Float(3e5).bitPattern,
    Float(-20).bitPattern, 0x0000_0001, 0x8000_0000, Float(1e-30).bitPattern,
  ]

  /// Replaces one to eight consecutive frames in one channel or in all channels. Returns the number
  /// of replaced samples.
  static func add(
    to channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, channelCount: Int,
    frameCount: Int, _ generator: inout SeededGenerator
  ) -> Int {
    guard frameCount > 0 else { return 0 }
    let first = generator.integer(0...frameCount - 1)
    let last = min(frameCount - 1, first + generator.integer(0...7))
    let only = generator.chance(0.7) ? generator.integer(0...channelCount - 1) : nil
    var count = 0
    for channel in 0..<channelCount where only == nil || only == channel {
      for frame in first...last {
        channels[channel][frame] = Float(bitPattern: generator.pick(patterns))
        count += 1
      }
    }
    return count
  }
}
