internal import HearingDSP
internal import HearingBuffers

/// Multiplies samples by a window, and computes the spectrum of the products.
struct SpectrumAnalyzer: ~Copyable {
  /// The Fourier transform. The transform is at least as long as the window.
  let transform: RealTransform
  let window: OwnedRow<Float>
  /// Scratch memory for the input samples of one transform.
  let scratch: OwnedRow<Float>

  /// - Parameters:
  ///   - window: The factors by which the samples are multiplied.
  ///   - size: The number of samples of the transform, a power of two.
  init(_ window: consuming OwnedRow<Float>, size: Int) {
    transform = RealTransform(length: size)
    scratch = .filled(0, count: size)
    self.window = window
  }

  /// The minimum length of a transform for `length` samples. The result is a power of two, and at
  /// least 32.
  static func size(for length: Int) -> Int {
    var size = 32
    while size < length { size *= 2 }
    return size
  }

  /// The element `index` of a Hann window with `length` elements.
  static func hann(_ length: Int, index: Int) -> Double {
    0.5 - 0.5 * CMath.cosine(2 * .pi * (Double(index) + 0.5) / Double(length))
  }

  /// Computes the spectrum of the first samples of a row. The number of these samples is the length
  /// of the window. The samples are padded with zeros to the length of the transform.
  func analyze(_ samples: Row<Float>, to spectra: borrowing Spectra, _ index: Int = 0) {
    let (length, size) = (window.count, scratch.count)
    let (window, weighted) = (window.row, scratch.row)
    for index in 0..<length { weighted[index] = samples[index] * window[index] }
    for index in length..<size { weighted[index] = 0 }
    transform.forward(weighted, to: spectra, index)
  }
}
