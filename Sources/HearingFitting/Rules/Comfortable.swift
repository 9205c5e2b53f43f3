/// The parameters of the rules ``PrescriptionRule/comfortableSpeech`` and
/// ``PrescriptionRule/comfortableMusic``.
///
/// With H the threshold in dB HL (above 4 kHz: at most the threshold at 4 kHz) and L the level in
/// the band in dB SPL, in each prescription band:
///
///     Lmid  = level of speech at 65 dB SPL overall in the band
///     G65   = camfitShare · CAMFIT linear + (1 - camfitShare) · NAL-RP
///             + extra, faded in from H = 20 to 40 dB HL
///             + severeGain · (H - 60, limited to 0…20) - profoundCut · max(0, H - 80)
///             - highestBandCut (8 kHz only), limited to 0…5 + 1.2 (H - 20)
///     extra = lowExtraGain up to 500 Hz, extraGain from 1.5 kHz, a straight line on log f between
///     ratio = mildRatio + (H - 20) / ratioLoss, limited to 1…maximumRatio
///     loud  = mildRatio + (H - 20) / loudRatioLoss, limited to 1…3, at least ratio
///     G(L)  = max(0, G65 + (L - Lmid)(1 / ratio - 1)); above Lmid + 8 the ratio is loud
///
/// The parameters for speech result from the search in `Benchmarks/benefit/comfort.py`.
@_spi(Measuring) public struct ComfortParameters: Sendable, Equatable {
  /// The fraction of CAMFIT linear in the gain for average speech; the remainder is NAL-RP.
  public var camfitShare: Double
  /// The gain in dB added at 1.5 kHz and above for every hearing loss of 40 dB HL or more.
  public var extraGain: Double
  /// The gain in dB added up to 500 Hz for every hearing loss of 40 dB HL or more; speech has most
  /// of its power there, and few of its cues.
  public var lowExtraGain: Double
  /// The gain in dB removed at 8 kHz, where many audiograms have no point.
  public var highestBandCut: Double
  /// The gain in dB added per dB of hearing loss from 60 to 80 dB HL.
  public var severeGain: Double
  /// The reduction in dB per dB of hearing loss above 80 dB HL.
  public var profoundCut: Double
  /// The compression ratio for a hearing loss of 20 dB HL.
  public var mildRatio: Double
  /// The hearing loss in dB that raises the ratio by 1.
  public var ratioLoss: Double
  /// The maximum compression ratio up to the peaks of average speech.
  public var maximumRatio: Double
  /// The hearing loss in dB that raises the ratio above the peaks of average speech by 1.
  public var loudRatioLoss: Double
  /// Attack time in seconds.
  public var attackTime: Double
  /// Release time in seconds.
  public var releaseTime: Double

  /// The parameters of ``PrescriptionRule/comfortableSpeech``.
  public static let speech = ComfortParameters(
    camfitShare: 0.7, extraGain: 5.75, lowExtraGain: 3.8, highestBandCut: 16,
    severeGain: 0.15, profoundCut: 0.65, mildRatio: 1.4, ratioLoss: 55, maximumRatio: 2,
    loudRatioLoss: 25, attackTime: 0.005, releaseTime: 0.8)

  /// The parameters of ``PrescriptionRule/comfortableMusic``.
  public static let music = ComfortParameters(
    camfitShare: 0, extraGain: 0, lowExtraGain: 0, highestBandCut: 0, severeGain: 0,
    profoundCut: 0.2, mildRatio: 1, ratioLoss: 120, maximumRatio: 1.3,
    loudRatioLoss: .infinity, attackTime: 0.005, releaseTime: 2)

  /// Parameters with the given values.
  public init(
    camfitShare: Double, extraGain: Double, lowExtraGain: Double, highestBandCut: Double,
    severeGain: Double, profoundCut: Double, mildRatio: Double, ratioLoss: Double,
    maximumRatio: Double, loudRatioLoss: Double, attackTime: Double, releaseTime: Double
  ) {
    self.camfitShare = camfitShare
    self.extraGain = extraGain
    self.lowExtraGain = lowExtraGain
    self.highestBandCut = highestBandCut
    self.severeGain = severeGain
    self.profoundCut = profoundCut
    self.mildRatio = mildRatio
    self.ratioLoss = ratioLoss
    self.maximumRatio = maximumRatio
    self.loudRatioLoss = loudRatioLoss
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
  /// The slope above ``loudLevel``.
  private let loudSlope: Double
  /// The level of the peaks of average speech, in dB SPL.
  private var loudLevel: Double { speechLevel + 8 }

  init(_ parameters: ComfortParameters, audiogram measured: Audiogram, band: Int) {
    let audiogram = measured.holdingThreshold(above: 4000)
    let frequency = PrescriptionBands.centers[band]
    speechLevel = PrescriptionBands.speechLevels[band]
    let loss = audiogram.threshold(at: frequency)
    let camfit = max(0, CAMFITLinear.gain(for: audiogram)(frequency))
    let nal = max(0, NALRP.gain(for: audiogram)(frequency))
    var gain = parameters.camfitShare * camfit + (1 - parameters.camfitShare) * nal
    let octaves = CMath.binaryLogarithm(frequency / 500)
    let fraction = (octaves / CMath.binaryLogarithm(3)).limited(to: 0...1)
    let extra =
      parameters.lowExtraGain + fraction * (parameters.extraGain - parameters.lowExtraGain)
    gain += extra * ((loss - 20) / 20).limited(to: 0...1)
    gain += parameters.severeGain * (loss - 60).limited(to: 0...20)
    gain -= parameters.profoundCut * max(0, loss - 80)
    if band == PrescriptionBands.centers.count - 1 { gain -= parameters.highestBandCut }
    speechGain = gain.limited(to: 0...max(0, 5 + 1.2 * (loss - 20)))
    let ratio = parameters.mildRatio + (loss - 20) / parameters.ratioLoss
    slope = 1 / ratio.limited(to: 1...parameters.maximumRatio) - 1
    let loudRatio = parameters.mildRatio + (loss - 20) / parameters.loudRatioLoss
    loudSlope = min(slope, 1 / loudRatio.limited(to: 1...3) - 1)
  }

  /// The rule's gain in dB at a level in the band, in dB SPL.
  func gain(at level: Double) -> Double {
    let level = level.limited(to: -1000...1000)
    return max(
      0,
      speechGain + (min(level, loudLevel) - speechLevel) * slope + max(0, level - loudLevel)
        * loudSlope)
  }

  /// The gain of a preset in dB over level, with a point where it reaches 0.
  var curve: PiecewiseLine {
    let range = LevelDependentEquation.presetLevelRange
    var kinks = [range.lowerBound, range.upperBound, loudLevel]
    if slope < 0 { kinks.append(speechLevel - speechGain / slope) }
    if loudSlope < 0 {
      kinks.append(loudLevel - (speechGain + (loudLevel - speechLevel) * slope) / loudSlope)
    }
    let levels = Set(kinks.filter(range.contains)).sorted()
    return PiecewiseLine(x: levels, y: levels.map(gain))
  }
}

extension Audiogram {
  /// The audiogram with all thresholds above a frequency in Hz limited to the threshold there.
  fileprivate func holdingThreshold(above frequency: Double) -> Audiogram {
    guard points.contains(where: { $0.frequency > frequency }) else { return self }
    let held = threshold(at: frequency)
    let above = points.filter { $0.frequency > frequency }.map { point in
      Point(frequency: point.frequency, threshold: min(point.threshold, held))
    }
    return Audiogram(
      validated: points.filter { $0.frequency < frequency }
        + [Point(frequency: frequency, threshold: held)] + above)
  }
}

extension PrescriptionRule {
  /// Comfortable speech: average speech audible and comfortable, loud sound hardly amplified,
  /// "comfortable-speech"; the default rule of tech level 3.
  ///
  /// The rule belongs to this package. The gain for average speech is mostly the gain of CAMFIT
  /// linear, plus 4 to 6 dB at 40 dB HL and above; where hearing is nearly normal (20 dB HL) it is
  /// at most 5 dB. Compression is slow, at most 2:1 for speech and 3:1 for loud sound. The
  /// ``FittingLimits`` that a ``Fitting`` applies make its presets comfortable in a quiet room and
  /// safe for loud sound. <doc:ComfortableSpeech> contains the equation and the measurements.
  ///
  /// Versions 1 and 2 had other gains, before the first release.
  public static let comfortableSpeech = comfortable(
    .speech, name: "comfortable-speech", version: 3)

  /// Comfortable music: nearly linear, with the gain of NAL-RP for average levels,
  /// "comfortable-music"; the default rule of the program ``Program/music`` at tech level 3.
  ///
  /// The rule belongs to this package. The compression ratio is at most 1.3 and the release time
  /// 2 s, so that the dynamics of music remain; 8 kHz is not cut.
  public static let comfortableMusic = comfortable(
    .music, name: "comfortable-music", version: 2)

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
