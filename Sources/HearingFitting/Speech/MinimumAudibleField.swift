/// The minimum audible field: the level of the softest pure tone that a person with normal hearing
/// detects with both ears in a free field, if the tone comes from the front.
///
/// Sources: ISO 389-7 and ISO 226. Between the frequencies of the table, the level is interpolated
/// linearly in frequency. Outside the table, the level is constant.
enum MinimumAudibleField {
  /// The level in dB SPL at a frequency in Hz.
  static func level(at frequency: Double) -> Double {
    line.value(at: frequency)
  }

  private static let line = PiecewiseLine(
    x: [
      20, 25, 31.5, 40, 50, 63, 80, 100, 125, 160, 200, 250, 315, 400, 500, 630, 800, 1000, 1250,
      1600, 2000, 2500, 3150, 4000, 5000, 6300, 8000, 10000, 12500, 14000, 16000,
    ],
    y: [
      78.5, 68.7, 59.5, 51.1, 44.0, 37.5, 31.5, 26.5, 22.1, 17.9, 14.4, 11.4, 8.6, 6.2, 4.4, 3.0,
      2.2, 2.4, 3.5, 1.7, -1.3, -4.2, -6.0, -5.4, -1.5, 6.0, 12.6, 13.9, 12.3, 18.4, 40.2,
    ])
}
