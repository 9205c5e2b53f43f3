/// The gains in dB of an equaliser's stages that together make a prescription.
struct SectionGains: Equatable {
  var broadband: Double = 0
  var lowShelf: Double = 0
  /// As a low shelf: the opposite of the gain that it adds at high frequencies.
  var highShelf: Double = 0
  var bells: [Double]

  init(bandCount: Int) {
    bells = [Double](repeating: 0, count: bandCount)
  }

  /// The same with every gain multiplied by `factor`.
  func scaled(by factor: Double) -> SectionGains {
    var result = self
    result.broadband *= factor
    result.lowShelf *= factor
    result.highShelf *= factor
    result.bells = bells.map { $0 * factor }
    return result
  }
}
