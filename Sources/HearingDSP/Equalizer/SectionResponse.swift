/// Magnitude responses of sections at one frequency, in closed form.
enum SectionResponse {
  /// Power ratio of a bell as numerator and denominator.
  ///
  /// - Parameters:
  ///   - ratio: tan(π f / rate) over the section's own.
  ///   - gain: the bell's amplitude gain at its centre, 10^(dB / 20).
  static func bell(ratio: Double, quality: Double, amplitude gain: Double) -> (Double, Double) {
    let square = ratio * ratio
    let skirt = (1 - square) * (1 - square)
    let band = square / (quality * quality)
    return (skirt + band * gain, skirt + band / gain)
  }

  /// Power ratio of a low shelf as numerator and denominator.
  ///
  /// - Parameter root: the square root of the shelf's amplitude gain, 10^(dB / 40).
  static func lowShelf(ratio: Double, quality: Double, root: Double) -> (Double, Double) {
    let square = ratio * ratio
    let band = root * square / (quality * quality)
    let above = root - square
    let below = 1 - root * square
    return (root * root * (above * above + band), below * below + band)
  }
}
