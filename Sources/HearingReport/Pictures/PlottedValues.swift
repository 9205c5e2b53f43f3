/// Where pictures and tables look at a preset.
enum PlottedValues {
  /// The input levels of soft, average and loud sounds, in dB SPL.
  static let inputLevels: [Double] = [50, 65, 80]

  /// The frequencies in Hz at which a curve bears a symbol.
  static let frequencies: [Double] = [
    125, 250, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000, 8000,
  ]

  /// The input and output levels that are drawn, in dB SPL.
  static let levels: ClosedRange<Double> = 0...120
}
