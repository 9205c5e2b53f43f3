/// The bands that prescriptions are stated in: the audiometric frequencies from 125 Hz to 8 kHz,
/// whatever bands a processor has.
enum PrescriptionBands {
  /// Centre frequencies in Hz.
  static let centers: [Double] = [
    125, 250, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000, 8000,
  ]

  /// The level of speech at 65 dB SPL overall in each band, in dB SPL ("Lmid").
  static let speechLevels = SpeechSpectrum.bandLevels(around: centers)
}
