internal import HearingDSP
internal import HearingBuffers

/// Collects the samples of each channel in overlapping windows, and adds up the powers of the
/// Fourier transforms of all windows.
///
///     var done = 0
///     while done < rows.frameCount {
///       done += windows.append(rows.frameCount - done) { rows[$0].from(done) }
///       if windows.isComplete { windows.transform() }
///     }
///
/// Each window begins a quarter of its length after the previous window. Infinite samples and NaN
/// samples count as 0.
struct OverlappingWindows: Sendable {
  let sampleRate: Double
  private var windowedTransform: WindowedTransform
  /// The samples of the next transform. There is one array per channel.
  private var samples: [[Float]]
  /// The number of samples per channel that are still missing for the next transform. `samples`
  /// contains a 0 for each missing sample.
  private var missing: Int
  /// For each channel, the power in each bin of the Fourier transform, summed over all transforms
  /// since the last call of ``resetPowers()``. The power of a bin also contains the power at the
  /// bin's negative frequency.
  private var powers: [[Double]]

  /// The number of windows that contain a given sample.
  static let overlap = 4

  /// The number of samples in one transform.
  private var count: Int { windowedTransform.count }

  /// The number of samples from the start of a window to the start of the next window.
  var hop: Int { count / Self.overlap }

  /// Creates windows of the same length. The length in samples is the largest power of two from 32
  /// to 2¹⁸ that does not exceed `maximumDuration` in seconds. If 32 samples exceed
  /// `maximumDuration`, the length is 32 samples.
  init(sampleRate: Double, maximumDuration: Double, channelCount: Int) {
    self.sampleRate = sampleRate
    var count = 32
    while Double(2 * count) <= sampleRate * maximumDuration, count < 1 << 18 { count *= 2 }
    windowedTransform = WindowedTransform(count: count)
    samples = Array(repeating: Array(repeating: 0, count: count), count: channelCount)
    missing = count / Self.overlap
    powers = Array(repeating: Array(repeating: 0, count: count / 2 + 1), count: channelCount)
  }

  /// The number of channels.
  var channelCount: Int { samples.count }

  /// Whether all samples of the next transform have arrived.
  var isComplete: Bool { missing == 0 }

  /// Appends up to `frameCount` frames, and returns the number of appended frames. If fewer than
  /// `frameCount` samples are missing in the window, only the missing samples are appended.
  mutating func append(_ frameCount: Int, _ row: (_ channel: Int) -> Row<Float>) -> Int {
    let appended = min(frameCount, missing)
    for channel in samples.indices {
      let row = row(channel)
      for index in 0..<appended {
        samples[channel][count - missing + index] = row[index].isFinite ? row[index] : 0
      }
    }
    missing -= appended
    return appended
  }

  /// Transforms the current window of each channel, and adds the power in each bin to the sums.
  /// Samples that are missing in the window count as 0. The method also moves all windows forward
  /// by a quarter of the window length.
  mutating func transform() {
    if !isKnownUniquelyReferenced(&windowedTransform) {
      windowedTransform = WindowedTransform(count: count)
    }
    for channel in samples.indices {
      let (real, imaginary) = windowedTransform.spectrum(of: samples[channel])
      for bin in 0...count / 2 {
        let (real, imaginary) = (Double(real[bin]), Double(imaginary[bin]))
        // The first and the last bin have no negative frequency. Every other bin has equal power at
        // its negative frequency.
        let factor = bin == 0 || bin == count / 2 ? 1.0 : 2.0
        powers[channel][bin] += factor * (real * real + imaginary * imaginary) / Double(count)
      }
      samples[channel].removeFirst(hop)
      samples[channel].append(contentsOf: repeatElement(0, count: hop))
    }
    missing = hop
  }

  /// Sets the sums of the powers to 0.
  mutating func resetPowers() {
    for channel in powers.indices { powers[channel] = powers[channel].map { _ in 0 } }
  }

  /// The power of a channel between the frequencies `lower` and `upper` in Hz, summed over all
  /// transforms since the last call of ``resetPowers()``. If a bin contains `lower` or `upper`,
  /// only the part of the bin between `lower` and `upper` counts.
  func power(_ channel: Int, from lower: Double, to upper: Double) -> Double {
    let width = sampleRate / Double(count)
    let limit = Double(powers[channel].count)
    var sum = 0.0
    for bin in Int(min(lower / width + 0.5, limit))..<Int(min(upper / width + 1.5, limit)) {
      let low = max(lower, (Double(bin) - 0.5) * width)
      let high = min(upper, (Double(bin) + 0.5) * width)
      if high > low { sum += powers[channel][bin] * (high - low) / width }
    }
    return sum
  }
}

/// Computes the spectrum of windowed samples.
///
/// The Hann windows overlap by three quarters of their length. Therefore every sample is in four
/// windows. In each of the four windows, the sample is multiplied by a factor of the Hann function.
/// The windows are scaled so that the squares of the four factors add up to 1. Therefore the powers
/// of the transforms add up to the power of the signal.
final class WindowedTransform {
  /// The number of samples in one transform.
  let count: Int

  private let transform: RealTransform
  private let window: [Float]
  private let samples: OwnedRow<Float>
  private let real: OwnedRow<Float>
  private let imaginary: OwnedRow<Float>

  /// Creates a transform of `count` samples. `count` must be a power of two, and at least 32.
  init(count: Int) {
    self.count = count
    transform = RealTransform(length: count)
    // Without `scale`, the squares of four overlapping Hann windows would add up to 1.5.
    let scale = (1 / 1.5).squareRoot()
    window = (0..<count).map {
      Float(scale * 0.5 * (1 - CMath.cosine(2 * .pi * Double($0) / Double(count))))
    }
    samples = .filled(0, count: count)
    real = .filled(0, count: transform.bins)
    imaginary = .filled(0, count: transform.bins)
  }

  /// The spectrum of `count` samples, with `count / 2 + 1` bins. The rows are valid until the next
  /// call of this method.
  func spectrum(of input: [Float]) -> (real: Row<Float>, imaginary: Row<Float>) {
    for index in 0..<count { samples[index] = input[index] * window[index] }
    transform.forward(samples.row, real: real.row, imaginary: imaginary.row)
    return (real.row, imaginary.row)
  }
}

// The class is Sendable because only `spectrum` changes memory, and two threads never call
// `spectrum` of the same transform. If a second copy of an `OverlappingWindows` refers to the
// transform, `OverlappingWindows` creates a new transform before the call of `spectrum`.
extension WindowedTransform: @unchecked Sendable {}
