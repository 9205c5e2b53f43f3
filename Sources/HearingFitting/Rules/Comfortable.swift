/// The parameters of the rules ``PrescriptionRule/comfortableSpeech`` and
/// ``PrescriptionRule/comfortableMusic``.
///
/// The equations apply to each of the ``PrescriptionBands``. H is the threshold in dB HL. Above 4
/// kHz, H is at most the threshold at 4 kHz. L is the level in the band in dB SPL. clamp(x, a, b)
/// limits x to the range from a to b:
///
///     Lmid  = level in the band for speech with an overall level of 65 dB SPL
///     base  = camfitShare · CAMFIT linear + (1 - camfitShare) · NAL-RP
///     extra = lowExtraGain up to 500 Hz, extraGain from 1.5 kHz, linear on log f between them
///     sum   = base + extra · clamp((H - 20) / 20, 0, 1) + severeGain · clamp(H - 60, 0, 20)
///             - profoundCut · max(0, H - 80) - highestBandCut (at 8 kHz only)
///     G65   = clamp(sum, 0, max(0, 5 + 1.2 (H - 20)))
///     ratio = clamp(mildRatio + (H - 20) / ratioLoss, 1, maximumRatio)
///     loud  = max(ratio, clamp(mildRatio + (H - 20) / loudRatioLoss, 1, 3))
///     G(L)  = max(0, G65 + (min(L, Lmid + 8) - Lmid)(1 / ratio - 1)
///                    + max(0, L - Lmid - 8)(1 / loud - 1))
///
/// NAL-RP contains a correction T, which depends on the threshold at 2 kHz. In the original rule, T
/// is 0 below 95 dB HL and jumps to its full value at 95 dB HL. In comfortable speech and
/// comfortable music, T rises linearly between 90 and 95 dB HL. Therefore a difference of 1 dB in
/// the threshold never changes the gain by several dB.
///
/// The parameters for speech were found by the search in `Benchmarks/benefit/comfort.py`.
@_spi(Measuring) public struct ComfortParameters: Sendable, Equatable {
  /// The weight of CAMFIT linear in the gain for average speech, 0 to 1. The weight of NAL-RP is 1
  /// minus the weight of CAMFIT linear.
  public var camfitShare: Double
  /// The gain in dB that is added at 1.5 kHz and above if the hearing loss is 40 dB HL or more.
  public var extraGain: Double
  /// The gain in dB that is added up to 500 Hz if the hearing loss is 40 dB HL or more. Speech has
  /// most of its power at low frequencies, but low frequencies contribute little to
  /// intelligibility.
  public var lowExtraGain: Double
  /// The reduction of gain in dB at 8 kHz, where many audiograms have no point.
  public var highestBandCut: Double
  /// The gain in dB that is added for each dB of hearing loss between 60 and 80 dB HL.
  public var severeGain: Double
  /// The reduction of gain in dB for each dB of hearing loss above 80 dB HL.
  public var profoundCut: Double
  /// The compression ratio for a hearing loss of 20 dB HL.
  public var mildRatio: Double
  /// The increase of hearing loss in dB that raises the compression ratio by 1. This parameter
  /// applies at input levels up to the peaks of average speech.
  public var ratioLoss: Double
  /// The maximum compression ratio at input levels up to the peaks of average speech.
  public var maximumRatio: Double
  /// The increase of hearing loss in dB that raises the compression ratio by 1. This parameter
  /// applies at input levels above the peaks of average speech.
  public var loudRatioLoss: Double
  /// The attack time in seconds.
  public var attackTime: Double
  /// The release time in seconds.
  public var releaseTime: Double

  /// The parameters of ``PrescriptionRule/comfortableSpeech``.
  public static let speech = ComfortParameters(
    camfitShare: 0.7, extraGain: 5.75, lowExtraGain: 3.8, highestBandCut: 16,
    severeGain: 0.15, profoundCut: 0.65, mildRatio: 1.4, ratioLoss: 55, maximumRatio: 2,
    loudRatioLoss: 25, attackTime: 0.005, releaseTime: 0.8)

  /// The parameters of ``PrescriptionRule/comfortableMusic``.
  public static let music = ComfortParameters(
    camfitShare: 0, extraGain: 0, lowExtraGain: 0, highestBandCut: 0, severeGain: 0,
    profoundCut: 0.2, mildRatio: 1, ratioLoss: 120, maximumRatio: 1.1,
    loudRatioLoss: .infinity, attackTime: 0.005, releaseTime: 2)
}

/// The gain of a rule with ``ComfortParameters`` in one band.
struct ComfortableBand {
  private let speechLevel: Double
  private let speechGain: Double
  /// The change of gain in dB if the input level rises by 1 dB. The change is above -1 and at most
  /// 0. This slope applies at input levels up to ``loudLevel``.
  private let slope: Double
  /// The change of gain in dB if the input level rises by 1 dB. This slope applies at input levels
  /// above ``loudLevel``.
  private let loudSlope: Double
  /// The level of the peaks of average speech, in dB SPL.
  private var loudLevel: Double { speechLevel + 8 }

  init(_ parameters: ComfortParameters, audiogram measured: Audiogram, band: Int) {
    let audiogram = measured.holdingThreshold(above: 4000)
    let frequency = PrescriptionBands.centers[band]
    speechLevel = PrescriptionBands.speechLevels[band]
    let loss = audiogram.threshold(at: frequency)
    let camfit = max(0, CAMFITLinear.gain(for: audiogram)(frequency))
    let nal = max(0, NALRP.gain(for: audiogram, fade: 5)(frequency))
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

  /// The gain of the rule in dB. `level` is the level in the band in dB SPL.
  func gain(at level: Double) -> Double {
    let level = level.limited(to: -1000...1000)
    return max(
      0,
      speechGain + (min(level, loudLevel) - speechLevel) * slope + max(0, level - loudLevel)
        * loudSlope)
  }

  /// The gain of a preset in dB as a function of level. The line has a point at each level where
  /// the slope of the gain changes.
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
  /// Returns a copy of the audiogram in which all thresholds above `frequency` are limited to the
  /// threshold at `frequency`.
  fileprivate func holdingThreshold(above frequency: Double) -> Audiogram {
    let above = points.filter { $0.frequency > frequency }
    guard !above.isEmpty else { return self }
    let held = threshold(at: frequency)
    let limited = above.map { Point(frequency: $0.frequency, threshold: min($0.threshold, held)) }
    let below = points.filter { $0.frequency < frequency }
    return Audiogram(validated: below + [Point(frequency: frequency, threshold: held)] + limited)
  }
}

extension PrescriptionRule {
  /// Comfortable speech ("comfortable-speech"): average speech is audible and comfortable, and loud
  /// sounds get little gain. Comfortable speech is the default rule of a ``Fitting`` with the tech
  /// level 3.
  ///
  /// The rule is defined by this package. The gain for average speech is based on a weighted mean
  /// of the gains of CAMFIT linear (70 %) and NAL-RP (30 %). For thresholds of 40 dB HL and above,
  /// comfortable speech adds 4 to 6 dB to this mean. For a threshold of 20 dB HL (nearly normal
  /// hearing), the gain for average speech is at most 5 dB. The compression is slow: the release
  /// time is 0.8 s. The compression ratio is at most 2:1 for speech and 3:1 for loud sounds. A
  /// ``Fitting`` also applies ``FittingLimits``. The limits reduce the gain in a quiet room and
  /// limit the output for loud sounds. <doc:ComfortableSpeech> contains the equation and the
  /// measurements.
  ///
  /// Versions 1 and 2 of the rule were used before the first release and prescribed other gains. If
  /// the threshold at 2 kHz is between 90 and 95 dB HL, the gains of versions 3 and 4 differ by up
  /// to 1.2 dB.
  public static let comfortableSpeech = comfortable(.speech, name: "comfortable-speech", version: 4)

  /// Comfortable music ("comfortable-music"): nearly linear, with the gain of NAL-RP for sounds of
  /// average level. This rule is the default rule of a ``Fitting`` with the tech level 3 and the
  /// program ``Program/music``.
  ///
  /// The rule comfortable music is defined by this package and does not come from a publication. To
  /// preserve the level differences in music, the compression ratio is at most 1.1 and the release
  /// time is 2 s. At 8 kHz, comfortable speech reduces the gain, but comfortable music does not. If
  /// the threshold at 2 kHz is between 90 and 95 dB HL, the gains of versions 3 and 4 differ by up
  /// to 4 dB.
  public static let comfortableMusic = comfortable(.music, name: "comfortable-music", version: 4)

  /// Creates a rule with the given parameters, for measurements.
  @_spi(Measuring) public static func comfortable(
    _ parameters: ComfortParameters, name: String, version: Int
  ) -> PrescriptionRule {
    PrescriptionRule(
      name: name, version: version, attackTime: parameters.attackTime,
      releaseTime: parameters.releaseTime,
      equation: .levelDependent(
        LevelDependentEquation(
          gain: { audiogram, frequency, inputLevel in
            PrescriptionBands.value(at: frequency) {
              ComfortableBand(parameters, audiogram: audiogram, band: $0).gain(at: inputLevel)
            }
          },
          bandCurve: { ComfortableBand(parameters, audiogram: $0, band: $1).curve })))
  }
}
