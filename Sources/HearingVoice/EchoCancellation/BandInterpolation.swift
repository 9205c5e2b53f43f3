internal import HearingBuffers

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

  /// Interpolates the values of the bands, `[band]`, for each bin, `[bin]`. Results below `minimum`
  /// become `minimum`.
  func interpolate(_ values: Row<Float>, to target: Row<Float>, minimum: Float = 0) {
    let (count, bands, fractions) = (lower.count, lower.row, fraction.row)
    for bin in 0..<count {
      let low = values[Int(bands[bin])]
      let value = low + fractions[bin] * (values[Int(bands[bin]) + 1] - low)
      target[bin] = max(value, minimum)
    }
  }
}
