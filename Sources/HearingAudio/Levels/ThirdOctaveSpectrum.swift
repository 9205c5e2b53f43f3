internal import Foundation

/// Measures the long-term level of sound in bands a third of an octave wide, over everything it is
/// given.
///
///     var spectrum = ThirdOctaveSpectrum(sampleRate: 48_000, channelCount: 2)
///     spectrum.add(block)
///     for (band, level) in zip(spectrum.bands, spectrum.levels(channel: 0)) {
///       print(band.nominalFrequency, "Hz:", level + fullScaleSPL, "dB SPL")
///     }
///
/// The power of all sound in a band, divided by the time, in dB relative to an RMS of 1.0: the
/// levels of all bands add up to that of the whole. It is taken from overlapping transforms of 0.3
/// to 0.7 s (Hann windows, each a quarter of its length after the one before), whose powers add up
/// to that of the sound exactly; a tone nearer to a band's edge than two lines of the transform
/// counts in part to the next band. Samples that are not finite count as silence. However long the
/// sound is, memory for two channels is 1.3 MB at 48 kHz and 5 MB at 192 kHz. Not for levels from
/// moment to moment: that is ``BandLevelMeter``.
public struct ThirdOctaveSpectrum: Sendable {
  /// The bands of the standard that the sample rate carries, 25 Hz to at most 20 kHz.
  public let bands: [Band]

  /// The number of frames measured so far.
  public private(set) var frameCount = 0

  private let sampleRate: Double
  private let transform: FourierTransform
  private let window: [Double]
  /// For each channel the last samples, as many as the window has, and what came before them.
  private var recent: [[Double]]
  /// How many of the newest places in ``recent`` are still to be filled.
  private var missing: Int
  /// For each channel the power of each line, summed over all transforms.
  private var powers: [[Double]]

  private static let longestWindow = 0.7
  /// The transforms that each sample is part of.
  private static let overlap = 4

  /// A measurement of sound at `sampleRate` in Hz, above 0, in `channelCount` channels, at least 1.
  public init(sampleRate: Double, channelCount: Int) {
    precondition(sampleRate.isFinite && sampleRate > 0, "a sample rate of \(sampleRate) Hz")
    precondition(channelCount >= 1, "\(channelCount) channels")
    self.sampleRate = sampleRate
    bands = Band.standard.filter { $0.upperEdge <= sampleRate / 2 }
    var count = 64
    while Double(2 * count) <= sampleRate * Self.longestWindow, count < 1 << 18 { count *= 2 }
    transform = FourierTransform(count: count)
    // The squares of four windows that overlap add up to 1.5 at every sample.
    let scale = (1 / 1.5).squareRoot()
    window = (0..<count).map { scale * 0.5 * (1 - cos(2 * .pi * Double($0) / Double(count))) }
    recent = Array(repeating: Array(repeating: 0, count: count), count: channelCount)
    missing = count / Self.overlap
    powers = Array(repeating: Array(repeating: 0, count: count / 2 + 1), count: channelCount)
  }

  /// The number of channels.
  public var channelCount: Int { recent.count }

  /// Measures `frameCount` frames of as many channels as the spectrum has.
  public mutating func add(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) {
    var done = 0
    while done < frameCount {
      let count = min(frameCount - done, missing)
      let place = window.count - missing
      for channel in recent.indices {
        let samples = channels[channel] + done
        recent[channel].withUnsafeMutableBufferPointer { recent in
          for index in 0..<count {
            let sample = Double(samples[index])
            recent[place + index] = sample.isFinite ? sample : 0
          }
        }
      }
      done += count
      advance(by: count)
    }
    self.frameCount += frameCount
  }

  /// Measures the frames of `block` that hold sound.
  public mutating func add(_ block: AudioBlock) {
    precondition(
      block.channelCount == channelCount, "\(block.channelCount) of \(channelCount) channels")
    add(block.channels, frameCount: block.frameCount)
  }

  /// The level in each of ``bands`` in dB relative to an RMS of 1.0; −∞ for silence.
  public func levels(channel: Int) -> [Double] {
    levels(in: bands, channel: channel)
  }

  /// The level in each of `bands` in dB relative to an RMS of 1.0; −∞ for silence and beyond half
  /// the sample rate.
  public func levels(in bands: [Band], channel: Int) -> [Double] {
    precondition(recent.indices.contains(channel), "channel \(channel) of \(channelCount)")
    guard frameCount > 0 else { return bands.map { _ in -.infinity } }
    let powers = finished.powers[channel]
    return bands.map { band in
      10 * log10(power(of: powers, in: band) / Double(frameCount))
    }
  }

  /// The same measurement with the sound that waits for a transform taken in.
  private var finished: ThirdOctaveSpectrum {
    var spectrum = self
    for _ in 0..<Self.overlap {
      for channel in spectrum.recent.indices {
        for place in window.count - spectrum.missing..<window.count {
          spectrum.recent[channel][place] = 0
        }
      }
      spectrum.advance(by: spectrum.missing)
    }
    return spectrum
  }

  /// Notes that `count` places were filled; transforms when none is missing.
  private mutating func advance(by count: Int) {
    missing -= count
    guard missing == 0 else { return }
    for channel in stride(from: 0, to: channelCount, by: 2) {
      analyze(channel, channel + 1 < channelCount ? channel + 1 : nil)
    }
    let hop = window.count / Self.overlap
    for channel in recent.indices {
      recent[channel].removeFirst(hop)
      recent[channel].append(contentsOf: repeatElement(0, count: hop))
    }
    missing = hop
  }

  /// Adds the powers of the last samples of one or two channels: two real signals make one complex
  /// one, whose transform holds both.
  private mutating func analyze(_ first: Int, _ second: Int?) {
    let count = window.count
    var real = zip(recent[first], window).map { $0 * $1 }
    var imaginary =
      second.map { zip(recent[$0], window).map { $0 * $1 } }
      ?? Array(repeating: 0, count: count)
    transform.transform(real: &real, imaginary: &imaginary)
    for line in 0...count / 2 {
      let mirror = line == 0 ? 0 : count - line
      // Lines between the ends stand for two, one at a negative frequency.
      let share = (line == 0 || line == count / 2 ? 0.25 : 0.5) / Double(count)
      let sum = real[line] + real[mirror]
      let difference = imaginary[line] - imaginary[mirror]
      powers[first][line] += share * (sum * sum + difference * difference)
      guard let second else { continue }
      let otherSum = imaginary[line] + imaginary[mirror]
      let otherDifference = real[mirror] - real[line]
      powers[second][line] += share * (otherSum * otherSum + otherDifference * otherDifference)
    }
  }

  /// The power between a band's edges; lines that an edge passes through count in part.
  private func power(of powers: [Double], in band: Band) -> Double {
    let lineWidth = sampleRate / Double(window.count)
    var sum = 0.0
    for (line, power) in powers.enumerated() {
      let lower = max(band.lowerEdge, (Double(line) - 0.5) * lineWidth)
      let upper = min(band.upperEdge, (Double(line) + 0.5) * lineWidth)
      if upper > lower { sum += power * (upper - lower) / lineWidth }
    }
    return sum
  }
}
