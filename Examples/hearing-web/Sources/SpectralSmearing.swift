import HearingBuffers
import HearingDSP

/// Smears the short-time power spectrum of one channel, in the same way as auditory filters that
/// are broader than normal.
///
/// Frames of ``length`` samples overlap by 75 %. The window is the square root of a Hann window.
/// The power of each bin is replaced by the mean power of a band around the bin. The phase does not
/// change. The width of the band is √(B² − N²). N is the equivalent rectangular bandwidth of normal
/// hearing, and B is the bandwidth with the hearing loss. N = 24.7 · (4.37 f + 1) Hz, with f in kHz
/// (Glasberg & Moore 1990).
///
/// The ratio B / N depends on the threshold: it is 1.35 at 35 dB HL, 2 at 56 dB HL and 3 at 75 dB
/// HL. The three ratios apply to a mild, a moderate and a severe loss. Each ratio is the mean of
/// the ratios for the lower and the upper slope of the auditory filter.
///
/// Source of the ratios: Nejime & Moore, "Simulation of the effect of threshold elevation and
/// loudness recruitment combined with reduced frequency selectivity on the intelligibility of
/// speech in noise", JASA 102 (1997).
final class SpectralSmearing {
  /// The number of samples in a frame. This is also the latency.
  static let length = 512
  private static let hop = 128

  private let sampleRate: Double
  private let transform = RealTransform(length: length)
  private let window: OwnedRow<Float>
  private let input = OwnedRow<Float>.filled(0, count: length)
  private let frame = OwnedRow<Float>.filled(0, count: length)
  private let output = OwnedRow<Float>.filled(0, count: length)
  private let real = OwnedRow<Float>.filled(0, count: length / 2 + 8)
  private let imaginary = OwnedRow<Float>.filled(0, count: length / 2 + 8)
  /// Cumulative powers: element i is the sum of the powers of the bins below i.
  private let sums = OwnedRow<Double>.filled(0, count: length / 2 + 2)
  /// Half the width of the averaging band around each bin, in bins. If it is 0, the bin does not
  /// change.
  private let halfWidths = OwnedRow<Double>.filled(0, count: length / 2 + 1)
  private var position = 0

  init(sampleRate: Double) {
    self.sampleRate = sampleRate
    window = .filled(0, count: Self.length)
    for index in 0..<Self.length {
      let phase = 2 * Double.pi * (Double(index) + 0.5) / Double(Self.length)
      // At each sample, the squares of the four overlapping windows add up to 1.
      window[index] = Float((0.25 * (1 - CMath.cosine(phase))).squareRoot())
    }
  }

  /// Adapts the widths of the bands to hearing thresholds in dB HL. The frequencies in Hz must
  /// ascend.
  func adapt(to points: [(frequency: Double, threshold: Double)]) {
    for bin in 0...Self.length / 2 {
      let frequency = sampleRate * Double(bin) / Double(Self.length)
      let factor = Self.broadening(Self.threshold(at: frequency, points))
      let normal = 24.7 * (4.37 * frequency / 1000 + 1)
      let width = normal * (factor * factor - 1).squareRoot()
      halfWidths[bin] = width / 2 * Double(Self.length) / sampleRate
    }
  }

  private static func threshold(
    at frequency: Double, _ points: [(frequency: Double, threshold: Double)]
  ) -> Double {
    guard let next = points.firstIndex(where: { $0.frequency > frequency }) else {
      return points.last?.threshold ?? 0
    }
    guard next > 0 else { return points[0].threshold }
    let (low, high) = (points[next - 1], points[next])
    let part = (frequency - low.frequency) / (high.frequency - low.frequency)
    return low.threshold + part * (high.threshold - low.threshold)
  }

  /// The ratio of the filter's bandwidth to the normal bandwidth, for a threshold in dB HL.
  private static func broadening(_ threshold: Double) -> Double {
    let (thresholds, factors) = ([15.0, 35, 56, 75], [1.0, 1.35, 2, 3])
    guard let next = thresholds.firstIndex(where: { $0 > threshold }) else { return 3 }
    guard next > 0 else { return 1 }
    let part = (threshold - thresholds[next - 1]) / (thresholds[next] - thresholds[next - 1])
    return factors[next - 1] + part * (factors[next] - factors[next - 1])
  }

  /// Clears the signal history.
  func reset() {
    for index in 0..<Self.length {
      input[index] = 0
      output[index] = 0
    }
    position = 0
  }

  /// Processes samples. Allocates nothing.
  func process(
    _ samples: UnsafeMutablePointer<Float>, to result: UnsafeMutablePointer<Float>, frameCount: Int
  ) {
    for index in 0..<frameCount {
      let slot = position % Self.length
      result[index] = output[slot]
      output[slot] = 0
      input[slot] = samples[index].isFinite ? samples[index] : 0
      position += 1
      if position % Self.hop == 0 {
        position %= Self.length
        smear()
      }
    }
  }

  /// Smears the last frame and adds it to the output.
  private func smear() {
    for index in 0..<Self.length {
      frame[index] = window[index] * input[(position + index) % Self.length]
    }
    transform.forward(frame.row, real: real.row, imaginary: imaginary.row)
    let last = Self.length / 2
    for bin in 0...last {
      let power = real[bin] * real[bin] + imaginary[bin] * imaginary[bin]
      sums[bin + 1] = sums[bin] + Double(power)
    }
    for bin in 0...last where halfWidths[bin] > 0 {
      // The limits of the averaging band. A bin extends by half a bin to both sides of its centre.
      let low = max(0, Double(bin) + 0.5 - max(0.5, halfWidths[bin]))
      let high = min(Double(last + 1), Double(bin) + 0.5 + max(0.5, halfWidths[bin]))
      let mean = (sum(to: high) - sum(to: low)) / (high - low)
      let own = sums[bin + 1] - sums[bin]
      let factor = own > 1e-20 ? Float((max(0, mean) / own).squareRoot()) : 0
      real[bin] *= factor
      imaginary[bin] *= factor
    }
    transform.inverse(real: real.row, imaginary: imaginary.row, to: frame.row)
    for index in 0..<Self.length {
      output[(position + index) % Self.length] += window[index] * frame[index]
    }
  }

  private func sum(to edge: Double) -> Double {
    let index = min(Int(edge), Self.length / 2)
    return sums[index] + (edge - Double(index)) * (sums[index + 1] - sums[index])
  }
}
