/// The Speech Intelligibility Index of ANSI S3.5-1997.
///
/// Source: the third-octave procedure of ANSI S3.5, with the values of table 3. Table 3 contains
/// the importance of each band for average speech, the internal noise of the ear, and the speech
/// spectrum for normal vocal effort. A hearing loss is treated as a higher internal noise of the
/// ear.
package enum SpeechAudibility {
  /// The level of speech in each third-octave band in dB SPL, for charts. If `preset` is nil, the
  /// speech is unprocessed.
  package static func thirdOctaves(
    through preset: EarPreset? = nil, speechLevel: Double = 65
  ) -> [(frequency: Double, level: Double)] {
    zip(bands, spectrum(through: preset, speechLevel: speechLevel)).map { band, level in
      (band.center, level + 10 * CMath.commonLogarithm(bandwidth * band.center))
    }
  }

  /// The spectrum level of speech in each band in dB SPL, at the output of the preset. The spectrum
  /// level is the level in a band that is 1 Hz wide. The input level of each band is the long-term
  /// level of speech in the band.
  ///
  /// In each band, the level of speech is at most the maximum output of the band minus
  /// ``limitedSpeechDrop``. The overall level of all bands is at most the maximum output of the ear
  /// minus ``limitedSpeechDrop``. If the overall level exceeds this limit, the levels of all bands
  /// are lowered by the same number of dB.
  fileprivate static func spectrum(through preset: EarPreset?, speechLevel: Double) -> [Double] {
    let unprocessed = bands.map { $0.speech + speechLevel - normalOverallLevel }
    guard let preset else { return unprocessed }
    let levels = zip(bands, unprocessed).map { band, speech in
      let input =
        PrescriptionBands.speechLevelTable.value(at: band.center) + speechLevel
        - SpeechSpectrum.overallLevel
      let limit = preset.largestOutput(at: band.center, in: .freeField) - limitedSpeechDrop
      return speech + min(preset.gain(at: band.center, inputLevel: input), limit - input)
    }
    let intensity = zip(bands, levels).reduce(0) {
      $0 + bandwidth * $1.0.center * CMath.power(10, $1.1 / 10)
    }
    let excess = 10 * CMath.commonLogarithm(intensity) - (preset.maximumOutput - limitedSpeechDrop)
    return levels.map { $0 - max(0, excess) }
  }

  /// The width of a third-octave band, as a fraction of its centre frequency.
  private static let bandwidth = 0.231

  /// The maximum output minus the long-term level of speech after limiting, in dB.
  ///
  /// Limiters act on the peaks of speech, which are about 12 dB above the long-term level.
  ///
  /// The difference of 12 dB was tested with the rule comfortable speech, with speech at 65 dB SPL,
  /// and with thresholds of 60 dB HL at all frequencies. The calculated Speech Intelligibility
  /// Index was compared with the index of the processor's measured output:
  ///
  /// - discomfort level 80 dB HL: calculated index 0.050, measured index 0.047
  /// - discomfort level 85 dB HL: calculated index 0.199, measured index 0.198
  /// - discomfort level 90 dB HL: calculated index 0.348, measured index 0.348
  /// - discomfort level 95 dB HL: calculated index 0.491, measured index 0.476
  ///
  /// If the calculation ignored the maximum outputs, the index would be 0.698 for every discomfort
  /// level.
  private static let limitedSpeechDrop = 12.0

  /// The overall level of the standard speech spectrum in dB SPL.
  private static let normalOverallLevel = 62.35
  /// Speech in a band masks speech in higher bands. The masking level is 24 dB below the level of
  /// the masking speech.
  fileprivate static let selfMasking = 24.0

  /// The third-octave bands of ANSI S3.5. The levels of speech and internal noise are spectrum
  /// levels in dB SPL.
  fileprivate static let bands:
    [(center: Double, importance: Double, speech: Double, internalNoise: Double)] = [
      (160, 0.0083, 32.41, 0.6), (200, 0.0095, 34.48, -1.7), (250, 0.0150, 34.75, -3.9),
      (315, 0.0289, 33.98, -6.1), (400, 0.0440, 34.59, -8.2), (500, 0.0578, 34.27, -9.7),
      (630, 0.0653, 32.06, -10.8), (800, 0.0711, 28.30, -11.9), (1000, 0.0818, 25.01, -12.5),
      (1250, 0.0844, 23.00, -13.5), (1600, 0.0882, 20.15, -15.4), (2000, 0.0898, 17.32, -17.7),
      (2500, 0.0868, 13.18, -21.2), (3150, 0.0844, 11.55, -24.2), (4000, 0.0771, 9.33, -25.9),
      (5000, 0.0527, 5.31, -23.6), (6300, 0.0364, 2.59, -15.8), (8000, 0.0185, 1.13, -7.1),
    ]
}

extension Audiogram {
  /// The Speech Intelligibility Index, a measure of the audibility of speech. The index ranges from
  /// 0 (speech is inaudible) to 1 (all parts of speech are audible at a comfortable level).
  ///
  ///     audiogram.speechIntelligibilityIndex()                      // without processing
  ///     audiogram.speechIntelligibilityIndex(through: preset.left)  // with the preset
  ///
  /// The index depends only on levels and thresholds. The index is not the fraction of words
  /// understood. The fraction of words understood also depends on the listener, the talker and the
  /// room.
  ///
  /// The maximum outputs of the preset limit the speech. The limiters act on the peaks of speech.
  /// Therefore the long-term level of speech after limiting is assumed to be 12 dB below the
  /// maximum output. The index ignores all other fast changes of gain. If the compression is fast,
  /// the index of the real output is lower than the calculated index. For example, a preset was
  /// created with the rule comfortable speech for thresholds of 60 dB HL at all frequencies,
  /// without measured discomfort levels. For this preset, the calculated index is 0.70, and the
  /// index of the measured output is 0.60.
  ///
  /// Source: ANSI S3.5-1997, third-octave procedure.
  ///
  /// - Parameters:
  ///   - preset: The preset of the ear. Nil means unprocessed speech. In each band, the index uses
  ///     the gain for the long-term level of speech in the band. The maximum outputs limit the
  ///     level of the speech.
  ///   - speechLevel: The overall level of the speech in dB SPL.
  ///   - signalToNoise: The level of the speech minus the level of a noise, in dB. The noise has
  ///     the same spectrum as the speech. Nil means speech in quiet.
  public func speechIntelligibilityIndex(
    through preset: EarPreset? = nil, speechLevel: Double = 65, signalToNoise: Double? = nil
  ) -> Double {
    let speech = SpeechAudibility.spectrum(through: preset, speechLevel: speechLevel)
    let selfMasking = SpeechAudibility.selfMasking
    var index = 0.0
    for (position, band) in SpeechAudibility.bands.enumerated() {
      let noiseLevel = signalToNoise.map { speech[position] - $0 } ?? -.infinity
      var noise = CMath.power(10, 0.1 * noiseLevel)
      for lower in 0..<position {
        let masker = speech[lower] - min(selfMasking, signalToNoise ?? selfMasking)
        let center = SpeechAudibility.bands[lower].center
        let slope = -80 + 0.6 * (masker + 10 * CMath.commonLogarithm(center) - 6.353)
        let distance = CMath.commonLogarithm(0.89 * band.center / center)
        noise += CMath.power(10, 0.1 * (masker + 3.32 * slope * distance))
      }
      let masking = noise > 0 ? 10 * CMath.commonLogarithm(noise) : -Double.infinity
      let disturbance = max(masking, band.internalNoise + threshold(at: band.center))
      let distortion = min(1, 1 - (speech[position] - band.speech - 10) / 160)
      let audibility = ((speech[position] - disturbance + 15) / 30).limited(to: 0...1)
      index += band.importance * distortion * audibility
    }
    return index.limited(to: 0...1)
  }
}
