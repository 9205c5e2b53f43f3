/// The parameters of the rules ``PrescriptionRule/comfortableSpeech`` and
/// ``PrescriptionRule/comfortableMusic``.
///
/// With H the threshold in dB HL and L the level in the band in dB SPL, in each prescription band:
///
///     Lmid  = level of speech at 65 dB SPL overall in the band
///     G65   = camfitShare · CAMFIT linear + (1 - camfitShare) · linear base
///             + extra, faded in from H = 10 to 20 dB HL - highestBandCut (8 kHz only)
///             - profoundCut · max(0, H - 90)
///     extra = lowExtraGain up to 500 Hz, extraGain from 1.5 kHz, a straight line on log f between
///     ratio = 1 + (H - 20) / ratioLoss, limited to 1…maximumRatio
///     G(L)  = max(0, min(G65 + (L - Lmid)(1 / ratio - 1), maximumGain, maximumOutput - L))
///
/// Below the knee, Lmid - kneeBelowSpeech, a preset reduces the gain by `expansionSlope` dB per dB.
/// Those for speech follow from the search in `Benchmarks/benefit/comfort.py`.
@_spi(Measuring) public struct ComfortParameters: Sendable, Equatable {
  /// The share of CAMFIT linear in the gain for average speech; the rest is NAL-RP.
  public var camfitShare: Double
  /// The gain in dB added from 1.5 kHz on for every hearing loss of 20 dB HL or more.
  public var extraGain: Double
  /// The same up to 500 Hz, where speech has most of its power and few of its cues.
  public var lowExtraGain: Double
  /// The gain in dB removed at 8 kHz, where many audiograms have no point.
  public var highestBandCut: Double
  /// The reduction in dB per dB of hearing loss above 90 dB HL.
  public var profoundCut: Double
  /// The hearing loss in dB above 20 dB HL that raises the ratio by 1.
  public var ratioLoss: Double
  /// The largest compression ratio.
  public var maximumRatio: Double
  /// The knee of the expansion in dB below the band level of average speech.
  public var kneeBelowSpeech: Double
  /// The same at 8 kHz.
  public var highestKneeBelowSpeech: Double
  /// The change of gain below the knee in dB per dB.
  public var expansionSlope: Double
  /// The largest gain in dB.
  public var maximumGain: Double
  /// The output in dB SPL above which the rule gives no gain.
  public var maximumOutput: Double
  /// Attack time in seconds.
  public var attackTime: Double
  /// Release time in seconds.
  public var releaseTime: Double

  /// The parameters of ``PrescriptionRule/comfortableSpeech``.
  public static let speech = ComfortParameters(
    camfitShare: 0.7, extraGain: 5.75, lowExtraGain: 3.8, highestBandCut: 10, profoundCut: 0.48,
    ratioLoss: 34, maximumRatio: 2, kneeBelowSpeech: 18.5, highestKneeBelowSpeech: 7,
    expansionSlope: 3.3, maximumGain: 47, maximumOutput: 105, attackTime: 0.005, releaseTime: 0.8)

  /// The parameters of ``PrescriptionRule/comfortableMusic``.
  public static let music = ComfortParameters(
    camfitShare: 0, extraGain: 0, lowExtraGain: 0, highestBandCut: 0, profoundCut: 0.2,
    ratioLoss: 120, maximumRatio: 1.3, kneeBelowSpeech: 25, highestKneeBelowSpeech: 25,
    expansionSlope: 1, maximumGain: 45, maximumOutput: 105, attackTime: 0.005, releaseTime: 2)

  /// Parameters with the given values.
  public init(
    camfitShare: Double, extraGain: Double, lowExtraGain: Double, highestBandCut: Double,
    profoundCut: Double, ratioLoss: Double, maximumRatio: Double, kneeBelowSpeech: Double,
    highestKneeBelowSpeech: Double, expansionSlope: Double, maximumGain: Double,
    maximumOutput: Double, attackTime: Double, releaseTime: Double
  ) {
    self.camfitShare = camfitShare
    self.extraGain = extraGain
    self.lowExtraGain = lowExtraGain
    self.highestBandCut = highestBandCut
    self.profoundCut = profoundCut
    self.ratioLoss = ratioLoss
    self.maximumRatio = maximumRatio
    self.kneeBelowSpeech = kneeBelowSpeech
    self.highestKneeBelowSpeech = highestKneeBelowSpeech
    self.expansionSlope = expansionSlope
    self.maximumGain = maximumGain
    self.maximumOutput = maximumOutput
    self.attackTime = attackTime
    self.releaseTime = releaseTime
  }
}

/// A comfortable rule in one band.
struct ComfortableBand {
  private let speechLevel: Double
  private let speechGain: Double
  /// Change of gain with input level in dB per dB: above -1, at most 0.
  private let slope: Double
  private let parameters: ComfortParameters
  private let knee: Double

  init(_ parameters: ComfortParameters, audiogram: Audiogram, band: Int) {
    self.parameters = parameters
    let frequency = PrescriptionBands.centers[band]
    let isHighest = band == PrescriptionBands.centers.count - 1
    speechLevel = PrescriptionBands.speechLevels[band]
    let loss = audiogram.threshold(at: frequency)
    let camfit = max(0, CAMFITLinear.gain(for: audiogram)(frequency))
    let nal = max(0, NALRP.gain(for: audiogram)(frequency))
    var gain = parameters.camfitShare * camfit + (1 - parameters.camfitShare) * nal
    let octaves = CMath.binaryLogarithm(frequency / 500)
    let share = (octaves / CMath.binaryLogarithm(3)).limited(to: 0...1)
    let extra =
      parameters.lowExtraGain + share * (parameters.extraGain - parameters.lowExtraGain)
    gain += extra * ((loss - 10) / 10).limited(to: 0...1)
    if isHighest { gain -= parameters.highestBandCut * ((loss - 10) / 10).limited(to: 0...1) }
    gain -= parameters.profoundCut * max(0, loss - 90)
    speechGain = max(0, gain)
    let ratio = (1 + (loss - 20) / parameters.ratioLoss).limited(to: 1...parameters.maximumRatio)
    slope = 1 / ratio - 1
    knee =
      speechLevel
      - (isHighest ? parameters.highestKneeBelowSpeech : parameters.kneeBelowSpeech)
  }

  /// The rule's gain in dB at a level in the band, in dB SPL.
  func gain(at level: Double) -> Double {
    let bounded = level.limited(to: -1000...1000)
    let prescribed = speechGain + (bounded - speechLevel) * slope
    return max(0, min(prescribed, parameters.maximumGain, parameters.maximumOutput - bounded))
  }

  /// The gain of a preset in dB over level, with expansion below the knee and a point at every kink.
  var curve: PiecewiseLine {
    let range = LevelDependentEquation.presetLevelRange
    var kinks = [range.lowerBound, range.upperBound, knee, parameters.maximumOutput]
    // Where the straight line meets the largest gain, 0 dB and the largest output.
    if slope < 0 {
      kinks.append(speechLevel + (parameters.maximumGain - speechGain) / slope)
      kinks.append(speechLevel - speechGain / slope)
    }
    kinks.append((parameters.maximumOutput - speechGain + speechLevel * slope) / (1 + slope))
    kinks.append(parameters.maximumOutput - parameters.maximumGain)
    let levels = Set(kinks.filter(range.contains)).sorted()
    let line = PiecewiseLine(x: levels, y: levels.map(gain))
    return line.expanding(below: knee, slope: parameters.expansionSlope)
  }
}

extension PrescriptionRule {
  /// Comfortable speech: average speech audible and comfortable, little amplification of quiet
  /// surroundings, "comfortable-speech"; the default rule of tech level 3.
  ///
  /// The rule belongs to this package. The gain for average speech is mostly that of CAMFIT linear
  /// and 4 to 6 dB more, compression is mild (at most 2:1) and slow, and very soft sounds lose gain
  /// quickly. Its parameters keep the output level low in quiet rooms and in noise; intelligibility
  /// and quality of speech (HASPI, HASQI) were measured with them, see <doc:ComfortableSpeech>.
  ///
  /// Version 1 had the gains of commits before the first release.
  public static let comfortableSpeech = comfortable(
    .speech, name: "comfortable-speech", version: 2)

  /// Comfortable music: nearly linear, with the gain of NAL-RP for average levels,
  /// "comfortable-music"; the default rule of the program ``Program/music`` at tech level 3.
  ///
  /// The rule belongs to this package. The compression ratio is at most 1.5 and the release time at
  /// least 1 s, so that the dynamics of music remain; the bandwidth is not reduced.
  public static let comfortableMusic = comfortable(
    .music, name: "comfortable-music", version: 1)

  /// A rule with other parameters, for measurements.
  @_spi(Measuring) public static func comfortable(
    _ parameters: ComfortParameters, name: String, version: Int
  ) -> PrescriptionRule {
    PrescriptionRule(
      name: name, version: version,
      equation: .levelDependent(
        LevelDependentEquation(
          levelReference: .band, attackTime: parameters.attackTime,
          releaseTime: parameters.releaseTime,
          gain: { audiogram, frequency, inputLevel in
            let gains = PrescriptionBands.centers.indices.map {
              ComfortableBand(parameters, audiogram: audiogram, band: $0).gain(at: inputLevel)
            }
            return FrequencyTable(frequencies: PrescriptionBands.centers, values: gains)
              .value(at: frequency)
          },
          bandCurve: { ComfortableBand(parameters, audiogram: $0, band: $1).curve })))
  }
}
