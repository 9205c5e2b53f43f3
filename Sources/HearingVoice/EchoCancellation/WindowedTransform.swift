internal import HearingDSP
internal import HearingBuffers

/// Computes the spectra of samples that are multiplied by a window.
struct WindowedTransform: ~Copyable {
  /// The transform, with a length of at least the length of the window.
  let transform: RealTransform
  /// The window.
  let window: OwnedRow<Float>
  /// Scratch memory for the samples of one transform.
  let scratch: OwnedRow<Float>

  /// - Parameters:
  ///   - window: The window.
  ///   - size: The number of samples of the transform, a power of two.
  init(_ window: consuming OwnedRow<Float>, size: Int) {
    transform = RealTransform(length: size)
    scratch = .filled(0, count: size)
    self.window = window
  }

  /// The smallest power of two that is a suitable length of a transform of `length` samples.
  static func size(for length: Int) -> Int {
    var size = 32
    while size < length { size *= 2 }
    return size
  }

  /// A Hann window of `length` samples.
  static func hann(_ length: Int, index: Int) -> Double {
    0.5 - 0.5 * CMath.cosine(2 * .pi * (Double(index) + 0.5) / Double(length))
  }

  /// Computes the spectrum of the first samples of a row, as many as the window has. The samples
  /// are padded with zeros to the length of the transform.
  func analyze(_ samples: Row<Float>, to spectra: borrowing Spectra, _ index: Int = 0) {
    let (length, size) = (window.count, scratch.count)
    let (window, weighted) = (window.row, scratch.row)
    for index in 0..<length { weighted[index] = samples[index] * window[index] }
    for index in length..<size { weighted[index] = 0 }
    transform.forward(weighted, to: spectra, index)
  }
}

/// Assigns each bin of a spectrum to the two bands with the nearest centres.
struct BandInterpolation: ~Copyable {
  /// The index of the lower of the two bands, `[bin]`.
  let lower: OwnedRow<Int32>
  /// The fraction of a bin that belongs to the upper band, 0…1, `[bin]`.
  let fraction: OwnedRow<Float>

  /// - Parameters:
  ///   - centers: The centres of the bands, in increasing order.
  ///   - width: The distance of two bins, in the unit of the centres.
  ///   - last: The last band that can be the lower band of a bin.
  init(bins: Int, centers: [Double], width: Double, last: Int) {
    lower = .filled(0, count: bins)
    fraction = .filled(0, count: bins)
    var band = 0
    for bin in 0..<bins {
      let position = Double(bin) * width
      while band < last && centers[band + 1] <= position { band += 1 }
      lower[bin] = Int32(band)
      guard band + 1 < centers.count else { continue }
      let distance = centers[band + 1] - centers[band]
      fraction[bin] = Float(min(max((position - centers[band]) / distance, 0), 1))
    }
  }

  /// Interpolates the values of the bands for each bin.
  func interpolate(_ values: Row<Float>, to target: Row<Float>, minimum: Float = 0) {
    let (count, bands, fractions) = (lower.count, lower.row, fraction.row)
    for bin in 0..<count {
      let low = values[Int(bands[bin])]
      let value = low + fractions[bin] * (values[Int(bands[bin]) + 1] - low)
      target[bin] = max(value, minimum)
    }
  }
}
