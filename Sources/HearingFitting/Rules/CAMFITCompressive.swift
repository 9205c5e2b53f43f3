/// CAMFIT compressive in one band: the gain of soft speech makes it just audible, the gain of
/// average speech is CAMFIT linear's (see ``PrescriptionRule/camfitCompressive``).
struct CAMFITCompressive {
  /// Where the expansion of a preset begins, below the level of average speech in the band: speech
  /// at 45 dB SPL overall.
  static let kneeBelowSpeech = 20.0

  /// The range in dB from the softest to the average parts of speech.
  private static let speechRange = 38.0
  /// The least that the output range may be compressed to, in dB: a ratio of 2.9.
  private static let leastOutputRange = 13.0
  /// The output level in dB SPL above which the rule gives no gain.
  private static let greatestOutput = 100.0

  private let softLevel: Double
  private let softGain: Double
  /// Growth of gain with input level, dB per dB: more than -1, at most 0.
  private let slope: Double
  private let knee: Double

  init(audiogram: Audiogram, band: Int) {
    let frequency = PrescriptionBands.centers[band]
    let speechLevel = PrescriptionBands.speechLevels[band]
    softLevel = speechLevel - Self.speechRange
    softGain =
      audiogram.threshold(at: frequency) + MinimumAudibleField.level(at: frequency) - softLevel
    let speechGain = max(0, CAMFITLinear.gain(for: audiogram)(frequency))
    let outputRange = Self.speechRange + speechGain - softGain
    let ratio = max(1, Self.speechRange / max(outputRange, Self.leastOutputRange))
    slope = 1 / ratio - 1
    knee = speechLevel - Self.kneeBelowSpeech
  }

  /// The rule's gain in dB at a level in the band, in dB SPL.
  func gain(at level: Double) -> Double {
    let bounded = level.limited(to: -1000...1000)
    let wanted = softGain + (bounded - softLevel) * slope
    return min(max(0, wanted), max(0, Self.greatestOutput - bounded))
  }

  /// The rule's gain with the expansion that a preset adds below the knee.
  func gainWithExpansion(at level: Double) -> Double {
    level < knee ? max(0, gain(at: knee) + level - knee) : gain(at: level)
  }

  /// The gain with expansion over level, with every kink a point.
  var curve: PiecewiseLine {
    var kinks = [knee, knee - gain(at: knee), Self.greatestOutput]
    kinks.append((Self.greatestOutput - softGain + softLevel * slope) / (1 + slope))
    if slope < 0 { kinks.append(softLevel - softGain / slope) }
    let range = PrescriptionRule.presetLevelRange
    let levels = Set(kinks.filter(range.contains) + [range.lowerBound, range.upperBound]).sorted()
    return PiecewiseLine(x: levels, y: levels.map(gainWithExpansion))
  }
}

extension PrescriptionRule {
  /// CAMFIT compressive: soft speech audible, average speech equally loud in all bands,
  /// "camfit-compressive"; its input level is the level in the band.
  ///
  /// In each of the bands around 125 250 500 750 1k 1.5k 2k 3k 4k 6k 8k Hz, whatever bands a
  /// processor has, with H the threshold in dB HL and L the level in the band in dB SPL:
  ///
  ///     Lmid = level of speech at 65 dB SPL overall in the band;  Lmin = Lmid - 38
  ///     Gmin = H + MAF - Lmin;  Gmid = CAMFIT linear
  ///     ratio = max(1, 38 / max(Lmid + Gmid - Lmin - Gmin, 13))
  ///     G(L) = min(max(0, Gmin + (L - Lmin)(1 / ratio - 1)), max(0, 100 - L))
  ///
  /// (MAF: minimum audible field, ISO 389-7; speech: Byrne et al. 1994.) At other frequencies the
  /// gain is the straight line on log frequency between the bands. The rule itself amplifies
  /// however soft a sound is; a preset adds expansion, 1 dB per dB, below the level that speech at
  /// 45 dB SPL overall has in the band: gain raised in silence would meet the next onset of speech
  /// in full. Source: Moore, Glasberg & Stone 1999.
  public static let camfitCompressive = PrescriptionRule(
    name: "camfit-compressive", version: 1,
    equation: .levelDependent(
      LevelDependentEquation(
        levelReference: .band,
        gain: { audiogram, frequency, inputLevel in
          let gains = PrescriptionBands.centers.indices.map {
            CAMFITCompressive(audiogram: audiogram, band: $0).gain(at: inputLevel)
          }
          return FrequencyTable(frequencies: PrescriptionBands.centers, values: gains)
            .value(at: frequency)
        },
        bandCurve: { CAMFITCompressive(audiogram: $0, band: $1).curve })))
}
