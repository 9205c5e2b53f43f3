/// Formulas for the gains of equaliser filters at one frequency.
enum SectionResponse {
  /// The power gain of a bell filter at a frequency f, as a numerator and a denominator.
  ///
  /// - Parameters:
  ///   - ratio: tan(π f / rate) / tan(π f0 / rate), where f0 is the centre frequency of the bell,
  ///     and rate is the sample rate.
  ///   - gain: the amplitude gain of the bell at its centre, 10^(dB / 20).
  static func bell(ratio: Double, quality: Double, amplitude gain: Double) -> (Double, Double) {
    let square = ratio * ratio
    let skirt = (1 - square) * (1 - square)
    let band = square / (quality * quality)
    return (skirt + band * gain, skirt + band / gain)
  }

  /// The power gain of a low-shelf filter at one frequency, as a numerator and a denominator.
  ///
  /// - Parameter root: the square root of the amplitude gain of the shelf at low frequencies,
  ///   10^(dB / 40).
  static func lowShelf(ratio: Double, quality: Double, root: Double) -> (Double, Double) {
    let square = ratio * ratio
    let band = root * square / (quality * quality)
    let above = root - square
    let below = 1 - root * square
    return (root * root * (above * above + band), below * below + band)
  }

  /// The derivative of a bell's gain in dB at one frequency with respect to the bell's gain in dB
  /// at the centre.
  static func bellDerivative(ratio: Double, quality: Double, amplitude gain: Double) -> Double {
    let (over, under) = bell(ratio: ratio, quality: quality, amplitude: gain)
    let band = ratio * ratio / (quality * quality)
    return (band * gain / over + band / gain / under) / 2
  }

  /// The derivative of a low shelf's gain in dB at one frequency with respect to the shelf's gain
  /// in dB at low frequencies.
  static func lowShelfDerivative(ratio: Double, quality: Double, root: Double) -> Double {
    let (over, under) = lowShelf(ratio: ratio, quality: quality, root: root)
    let square = ratio * ratio
    let band = square / (quality * quality)
    let overSlope = 2 * over / root + root * root * (2 * (root - square) + band)
    let underSlope = -2 * square * (1 - root * square) + band
    return root / 4 * (overSlope / over - underSlope / under)
  }
}
