/// The rule CAMFIT linear: speech at 65 dB SPL is equally loud in all bands (see
/// ``PrescriptionRule/camfitLinear``).
enum CAMFITLinear {
  static let intercepts = FrequencyTable(
    frequencies: [125, 250, 500, 750, 1000, 1500, 2000, 3000, 4000, 5000],
    values: [-11, -10, -8, -6, 0, -1, 1, -1, 0, 1])

  /// The gain of CAMFIT linear in dB as a function of frequency in Hz. The gain may be negative. If
  /// all thresholds are 0 dB HL, the gain is 0 dB at all frequencies.
  static func gain(for audiogram: Audiogram) -> (_ frequency: Double) -> Double {
    if audiogram.points.allSatisfy({ $0.threshold == 0 }) { return { _ in 0 } }
    return { 0.48 * audiogram.threshold(at: $0) + intercepts.value(at: $0) }
  }
}

extension PrescriptionRule {
  /// CAMFIT linear ("camfit-linear"), the Cambridge formula: speech at 65 dB SPL is equally loud in
  /// all bands.
  ///
  /// Gain = max(0, 0.48 H + i), where H is the threshold in dB HL. The correction i in dB depends
  /// on the frequency:
  ///
  ///     Hz   125  250  500  750   1k  1.5k  2k   3k   4k   5k
  ///     dB   -11  -10   -8   -6    0   -1    1   -1    0    1
  ///
  /// Below 125 Hz and above 5 kHz, the correction i is constant. If all thresholds are 0 dB HL, the
  /// gain is 0 dB. Source: Moore & Glasberg 1998.
  public static let camfitLinear = linear(
    name: "camfit-linear", version: 1, tableFrequencies: CAMFITLinear.intercepts.frequencies,
    gain: CAMFITLinear.gain)
}

/// The rule CAMFIT compressive in one band (see ``PrescriptionRule/camfitCompressive``). Soft
/// speech becomes just audible, and average speech gets the gain of CAMFIT linear.
struct CAMFITCompressive {
  /// The level of average speech in the band minus the expansion knee, in dB. At input levels below
  /// the expansion knee, a preset reduces the gain. Average speech has an overall level of 65 dB
  /// SPL. The knee is therefore the level in the band for speech with an overall level of 45 dB
  /// SPL.
  static let kneeBelowSpeech = 20.0

  /// The level of average speech minus the level of soft speech, in dB.
  private static let speechRange = 38.0
  /// The minimum difference between the output level of average speech and the output level of soft
  /// speech, in dB. This minimum limits the compression ratio to 2.9.
  private static let minimumOutputRange = 13.0
  /// The maximum output level in dB SPL to which the rule amplifies a sound. A sound with an input
  /// level above this maximum gets no gain.
  private static let maximumAmplifiedOutput = 100.0

  private let softLevel: Double
  private let softGain: Double
  /// The change of gain in dB if the input level rises by 1 dB. The change is above -1 and at most
  /// 0.
  private let slope: Double
  private let knee: Double

  init(audiogram: Audiogram, band: Int) {
    let frequency = PrescriptionBands.centers[band]
    let speechLevel = PrescriptionBands.speechLevels[band]
    softLevel = speechLevel - Self.speechRange
    softGain =
      audiogram.threshold(at: frequency) + LevelPlane.freeField.referenceThreshold(at: frequency)
      - softLevel
    let speechGain = max(0, CAMFITLinear.gain(for: audiogram)(frequency))
    let outputRange = Self.speechRange + speechGain - softGain
    let ratio = max(1, Self.speechRange / max(outputRange, Self.minimumOutputRange))
    slope = 1 / ratio - 1
    knee = speechLevel - Self.kneeBelowSpeech
  }

  /// The gain of the rule in dB. `level` is the level in the band in dB SPL.
  func gain(at level: Double) -> Double {
    let bounded = level.limited(to: -1000...1000)
    let prescribed = softGain + (bounded - softLevel) * slope
    return min(max(0, prescribed), max(0, Self.maximumAmplifiedOutput - bounded))
  }

  /// The gain of a preset in dB. At levels below the expansion knee, the gain is lower than the
  /// gain of the rule.
  func gainWithExpansion(at level: Double) -> Double {
    level < knee ? max(0, gain(at: knee) + level - knee) : gain(at: level)
  }

  /// The gain with expansion as a function of level. The line has a point at each level where the
  /// slope of the gain changes.
  var curve: PiecewiseLine {
    var kinks = [knee, knee - gain(at: knee), Self.maximumAmplifiedOutput]
    kinks.append((Self.maximumAmplifiedOutput - softGain + softLevel * slope) / (1 + slope))
    if slope < 0 { kinks.append(softLevel - softGain / slope) }
    let range = LevelDependentEquation.presetLevelRange
    let levels = Set(kinks.filter(range.contains) + [range.lowerBound, range.upperBound]).sorted()
    return PiecewiseLine(x: levels, y: levels.map(gainWithExpansion))
  }
}

extension PrescriptionRule {
  /// CAMFIT compressive ("camfit-compressive"): soft speech is audible, and average speech is
  /// equally loud in all bands. The input level is the level in the band.
  ///
  /// The equations apply to bands around 125, 250, 500, 750 Hz, 1, 1.5, 2, 3, 4, 6 and 8 kHz. The
  /// bands of the rule are independent of the bands of a sound processor. H is the threshold in dB
  /// HL, and L is the level in the band in dB SPL:
  ///
  ///     Lmid = level in the band for speech with an overall level of 65 dB SPL;  Lmin = Lmid - 38
  ///     Gmin = H + MAF - Lmin;  Gmid = CAMFIT linear
  ///     ratio = max(1, 38 / max(Lmid + Gmid - Lmin - Gmin, 13))
  ///     G(L) = min(max(0, Gmin + (L - Lmin)(1 / ratio - 1)), max(0, 100 - L))
  ///
  /// MAF is the minimum audible field (ISO 389-7). The levels of speech are from Byrne et al. 1994.
  /// Between the centre frequencies of two bands, the gain is linear in the logarithm of frequency.
  ///
  /// The rule amplifies even the softest sounds. In silence, the gain would therefore rise, and
  /// would be too high when speech starts again. To avoid this rise, a preset of this rule contains
  /// an expansion. The expansion knee is the level in the band for speech with an overall level of
  /// 45 dB SPL. Below the knee, the gain falls by 1 dB if the input level falls by 1 dB. Source:
  /// Moore, Glasberg & Stone 1999.
  public static let camfitCompressive = PrescriptionRule(
    name: "camfit-compressive", version: 1, releaseTime: EarPreset.compressiveReleaseTime,
    equation: .levelDependent(
      LevelDependentEquation(
        gain: { audiogram, frequency, inputLevel in
          PrescriptionBands.value(at: frequency) {
            CAMFITCompressive(audiogram: audiogram, band: $0).gain(at: inputLevel)
          }
        },
        bandCurve: { CAMFITCompressive(audiogram: $0, band: $1).curve })))
}
