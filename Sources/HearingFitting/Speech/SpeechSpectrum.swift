/// The long-term average spectrum of speech, and the level of speech in any band.
///
/// Source: Byrne et al., "An international comparison of long-term average speech spectra", Journal
/// of the Acoustical Society of America 96 (1994). The publication contains third-octave levels
/// from 63 Hz to 16 kHz for an overall level of 70 dB SPL.
enum SpeechSpectrum {
  /// The overall level of average speech in dB SPL.
  static let overallLevel = 65.0

  private static let tabulatedOverallLevel = 70.0

  private static let thirdOctaves: [Double] = [
    63, 80, 100, 125, 160, 200, 250, 315, 400, 500, 630, 800, 1000, 1250, 1600, 2000, 2500, 3150,
    4000, 5000, 6300, 8000, 10000, 12500, 16000,
  ]

  private static let tabulatedLevels: [Double] = [
    38.6, 43.5, 54.4, 57.7, 56.8, 60.2, 60.3, 59.0, 62.1, 62.1, 60.5, 56.8, 53.7, 53.0, 52.0, 48.7,
    48.1, 46.8, 45.6, 44.5, 44.3, 43.7, 43.4, 41.3, 40.7,
  ]

  /// The levels of speech in dB SPL in bands around `centers` (Hz, strictly rising). The overall
  /// level of the speech is 65 dB SPL.
  ///
  /// The edges of bands and third-octaves are the geometric means of neighbouring centre
  /// frequencies. The first band has no lower edge, and the last band has no upper edge. The
  /// intensity of a band is a weighted sum of the intensities of the third-octaves. The weight of a
  /// third-octave is the fraction of the third-octave's width in Hz that is inside the band.
  static func bandLevels(around centers: [Double]) -> [Double] {
    let bands = edges(around: centers, outermost: 0...Double.greatestFiniteMagnitude)
    let thirds = edges(around: thirdOctaves, outermost: outermostThirdOctaves)
    return centers.indices.map { band in
      var intensity = 0.0
      for third in thirdOctaves.indices {
        let width = thirds[third + 1] - thirds[third]
        let overlap = min(thirds[third + 1], bands[band + 1]) - max(thirds[third], bands[band])
        guard overlap > 0 else { continue }
        let level = tabulatedLevels[third] - tabulatedOverallLevel + overallLevel
        intensity += CMath.power(10, level / 10) * overlap / width
      }
      return 10 * CMath.commonLogarithm(intensity)
    }
  }

  /// The lower edge of the first third-octave and the upper edge of the last third-octave, in Hz.
  /// Each edge is a sixth of an octave away from the centre frequency of the third-octave.
  private static let outermostThirdOctaves =
    63 * CMath.binaryPower(-1.0 / 6)...16_000 * CMath.binaryPower(1.0 / 6)

  private static func edges(around centers: [Double], outermost: ClosedRange<Double>) -> [Double] {
    let inner = zip(centers, centers.dropFirst()).map { ($0 * $1).squareRoot() }
    return [outermost.lowerBound] + inner + [outermost.upperBound]
  }
}

/// The frequency bands that the prescription rules use. The centres of the bands are the
/// audiometric frequencies from 125 Hz to 8 kHz. The bands are independent of the bands of a sound
/// processor.
enum PrescriptionBands {
  /// The centre frequencies of the bands in Hz.
  static let centers: [Double] = [
    125, 250, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000, 8000,
  ]

  /// The level in each band, in dB SPL, for speech with an overall level of 65 dB SPL. The
  /// equations of the rules call this level Lmid.
  static let speechLevels = SpeechSpectrum.bandLevels(around: centers)

  /// The ``speechLevels``, interpolated between the centre frequencies of the bands.
  static let speechLevelTable = FrequencyTable(frequencies: centers, values: speechLevels)

  /// The value at a frequency above 0 Hz, interpolated from the values of the bands.
  static func value(at frequency: Double, of value: (_ band: Int) -> Double) -> Double {
    FrequencyTable(frequencies: centers, values: centers.indices.map(value)).value(at: frequency)
  }
}
