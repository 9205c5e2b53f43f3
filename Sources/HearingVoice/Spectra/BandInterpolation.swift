internal import HearingBuffers

/// Assigns each bin of a spectrum to the two frequency bands with the nearest centres.
struct BandInterpolation: ~Copyable {
  /// For each bin, the index of the first of the two nearest bands. The second band has the next
  /// index.
  let lower: OwnedRow<Int32>
  /// For each bin, the weight of the second of the two nearest bands, 0…1. The first of the two
  /// bands has the weight 1 minus this weight.
  let fraction: OwnedRow<Float>

  /// - Parameters:
  ///   - centers: The centre frequencies of the bands, in increasing order.
  ///   - width: The distance between neighbouring bins, in the same unit as `centers`.
  init(bins: Int, centers: [Double], width: Double) {
    lower = .filled(0, count: bins)
    fraction = .filled(0, count: bins)
    var band = 0
    for bin in 0..<bins {
      let position = Double(bin) * width
      while band + 2 < centers.count && centers[band + 1] <= position { band += 1 }
      lower[bin] = Int32(band)
      let distance = centers[band + 1] - centers[band]
      fraction[bin] = Float(min(max((position - centers[band]) / distance, 0), 1))
    }
  }

  /// Interpolates between the values of the bands, and writes one value per bin to `target`.
  /// Results below `minimum` become `minimum`.
  func interpolate(_ values: Row<Float>, to target: Row<Float>, minimum: Float = 0) {
    let (count, bands, fractions) = (lower.count, lower.row, fraction.row)
    for bin in 0..<count {
      let low = values[Int(bands[bin])]
      let value = low + fractions[bin] * (values[Int(bands[bin]) + 1] - low)
      target[bin] = max(value, minimum)
    }
  }
}
