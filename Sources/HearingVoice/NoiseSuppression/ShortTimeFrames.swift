internal import HearingDSP
internal import HearingBuffers

/// Converts a signal to spectra of overlapping frames and back, with a latency of 10 ms.
///
/// A frame of about 25 ms is analysed every 5 ms. The analysis window rises slowly and falls within
/// 5 ms. The synthesis window covers only the last 10 ms of the frame. The product of both windows
/// is a Hann window of 10 ms. Therefore the overlapping frames add up to the input (Mauler &
/// Martin, EUSIPCO 2007). The squared magnitudes of a spectrum add up to the mean square of the
/// frame.
///
/// The positions of the frames are counted from the first sample of the signal. Therefore the
/// result does not depend on the block size.
struct ShortTimeFrames: ~Copyable {
  /// The number of samples (5 ms) from the start of one frame to the start of the next frame.
  let hop: Int
  /// The number of bins of a spectrum.
  let bins: Int
  /// The number of elements of a spectrum: `bins`, rounded up to a multiple of four.
  var stride: Int { spectra.stride }

  /// The spectrum of the newest frame.
  let spectra: Spectra

  /// The power of the output for random spectra: each frame is synthesized from a random spectrum
  /// with a power of 1, and the spectra of different frames are independent.
  private(set) var randomGain: Float = 1

  private let transform: SpectrumAnalyzer
  private let length: Int
  private let synthesis: OwnedRow<Float>
  /// The last `length` samples of the input.
  private let history: OwnedRow<Float>
  /// The next 10 ms of the output: the sum of the overlapping frames. The first 5 ms are complete.
  /// The next frame completes the last 5 ms.
  private let output: OwnedRow<Float>
  /// The number of input samples that have been stored since the newest frame, at most `hop`.
  private(set) var filled = 0

  init(sampleRate: Double) {
    hop = Self.latency(sampleRate: sampleRate) / 2
    let size = SpectrumAnalyzer.size(for: 4 * hop)
    length = min(5 * hop, size)
    bins = size / 2 + 1
    transform = SpectrumAnalyzer(.filled(0, count: length), size: size)
    spectra = Spectra(stride: size / 2 + 4, count: 1)
    history = .filled(0, count: length)
    synthesis = .filled(0, count: 2 * hop)
    output = .filled(0, count: 2 * hop)
    design(size: size)
  }

  private mutating func design(size: Int) {
    let window = transform.window.row
    let rise = length - hop
    var energy = 0.0
    for index in 0..<length {
      let angle =
        index < rise
        ? (Double(index) + 0.5) / Double(2 * rise) - 0.5
        : (Double(index - rise) + 0.5) / Double(2 * hop)
      let value = CMath.cosine(.pi * angle)
      window[index] = Float(value)
      energy += value * value
    }
    let scale = (2 / (Double(size) * energy)).squareRoot()
    for index in 0..<2 * hop {
      let angle = (Double(index) + 0.5) / Double(2 * hop)
      let hann = 0.5 - 0.5 * CMath.cosine(2 * .pi * angle)
      synthesis[index] = Float(hann / (Double(window[length - 2 * hop + index]) * scale))
    }
    for index in 0..<length { window[index] *= Float(scale) }
    // If the spectrum of a frame is random, all samples have the same expected power after the
    // inverse transform. These samples are then multiplied by the synthesis window.
    var shape = 0.0
    for index in 0..<2 * hop { shape += Double(synthesis[index] * synthesis[index]) }
    randomGain = Float(energy * scale * scale / Double(size) * shape / Double(hop))
  }

  /// The latency in samples for a sample rate in Hz. The latency is two hops of 5 ms.
  static func latency(sampleRate: Double) -> Int { 2 * Int(sampleRate * 0.005) }

  /// The latency in samples: two hops of 5 ms.
  var latency: Int { 2 * hop }

  /// Stores up to 5 ms of input samples. Replaces the input samples by output samples, which have a
  /// delay of 10 ms.
  ///
  /// - Parameters:
  ///   - count: The number of samples. At most `hop` − `filled` samples are allowed.
  /// - Returns: Whether `hop` samples have been stored since the newest frame. If the result is
  ///   true, call `analyze()`, and then call `synthesize()`.
  mutating func exchange(_ samples: Row<Float>, count: Int) -> Bool {
    let newest = history.from(length - hop + filled)
    for index in 0..<count {
      newest[index] = samples[index]
      samples[index] = output[filled + index]
    }
    filled += count
    return filled == hop
  }

  /// Computes the spectrum of the newest frame.
  func analyze() {
    transform.analyze(history.row, to: spectra)
    for index in 0..<length - hop { history[index] = history[index + hop] }
  }

  /// Converts `spectra` to a frame, and adds the frame to the output.
  mutating func synthesize() {
    transform.transform.inverse(spectra, to: transform.scratch.row)
    let frame = transform.scratch.from(length - 2 * hop)
    for index in 0..<hop {
      output[index] = output[hop + index] + frame[index] * synthesis[index]
      output[hop + index] = frame[hop + index] * synthesis[hop + index]
    }
    filled = 0
  }

  /// Clears all samples.
  mutating func reset() {
    history.fill(0)
    output.fill(0)
    filled = 0
  }
}
