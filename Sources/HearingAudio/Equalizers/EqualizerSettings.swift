public import HearingDSP
public import HearingFitting

/// The part of a preset that an equaliser of another program can apply: gains that do not depend on
/// the level of the sound.
///
///     let settings = EqualizerSettings(preset: preset, inputLevel: 65)
///     let text = try settings.text(.equalizerAPO)
///
/// Each ear gets at most ten sections, and both get the same preamp gain, because some programs have
/// only one. Their response is within 0.5 dB of the preset's gain at the audiometric frequencies from
/// 250 Hz to 8 kHz. Compression, the maximum output and the output ceiling are lost: use it only where
/// the processor itself cannot run.
public struct EqualizerSettings: Sendable, Equatable {
  /// The level in every band in dB SPL at which the gains were taken.
  public let inputLevel: Double

  /// The sections for the left ear, and the preamp gain; no gain if the ear is unknown.
  public let left: HeadphoneCorrection

  /// The sections for the right ear, and the preamp gain; no gain if the ear is unknown.
  public let right: HeadphoneCorrection

  /// For programs with one curve for both ears: at every frequency the smaller gain of both; nil: an
  /// ear is unknown.
  let sharedGains: FrequencyCurve?

  /// The gains of a preset at a level in every band in dB SPL, −50…150.
  ///
  /// Takes some tenths of a second, because the sections are fitted.
  public init(preset: Preset, inputLevel: Double = 65) {
    precondition(
      EarPreset.inputLevelRange.contains(inputLevel), "an input level of \(inputLevel) dB SPL")
    self.inputLevel = inputLevel
    let tuned = preset.fineTuned
    let curves = Ear.allCases.map { ear in tuned[ear].map { Self.gains(of: $0, inputLevel) } }
    let known = curves.compactMap { $0 }
    // An unknown ear gets no gain, not even the common preamp gain.
    let preamp = known.count == 2 ? Self.meanGain(of: known) : 0
    left = Self.sections(for: curves[0], preamp)
    right = curves[0] == curves[1] ? left : Self.sections(for: curves[1], preamp)
    sharedGains = known.count == 2 ? Self.smaller(known[0], known[1]) : nil
  }

  /// Whether both ears have the same gains.
  public var isSameForBothEars: Bool { left == right }

  /// The sections for programs with one curve for both ears.
  func sections(forBoth gains: FrequencyCurve) -> HeadphoneCorrection {
    isSameForBothEars ? left : Self.sections(for: gains, Self.meanGain(of: [gains]))
  }

  private static func gains(of ear: EarPreset, _ inputLevel: Double) -> FrequencyCurve {
    curve(ear.frequencies) { ear.gain(at: $0, inputLevel: inputLevel) }
  }

  private static func smaller(_ one: FrequencyCurve, _ other: FrequencyCurve) -> FrequencyCurve {
    let frequencies = Set((one.points + other.points).map { $0.frequency }).sorted()
    return curve(frequencies) { min(one.level(at: $0), other.level(at: $0)) }
  }

  /// The curve through the levels at some frequencies; of very many, it uses an even selection.
  private static func curve(
    _ frequencies: [Double], _ level: (Double) -> Double
  ) -> FrequencyCurve {
    let step = (frequencies.count + 9_999) / 10_000
    let points = stride(from: 0, to: frequencies.count, by: step).map {
      FrequencyCurve.Point(frequency: frequencies[$0], level: level(frequencies[$0]))
    }
    do {
      return try FrequencyCurve(points: points)
    } catch {
      preconditionFailure("the gains of a preset are no curve: \(error)")
    }
  }

  /// The mean gain at the audiometric frequencies, rounded to 0.1 dB and at most 20 dB.
  private static func meanGain(of curves: [FrequencyCurve]) -> Double {
    let levels = curves.flatMap { curve in
      BandLayout.audiometric.centers.map { curve.level(at: $0) }
    }
    let mean = levels.reduce(0, +) / Double(levels.count)
    return min((mean * 10).rounded() / 10, 20)
  }

  private static func sections(
    for gains: FrequencyCurve?, _ preampGain: Double
  ) -> HeadphoneCorrection {
    guard let gains else { return .none }
    return HeadphoneFit(
      insertionGains: gains, preampGain: preampGain, exactAt: BandLayout.audiometric.centers
    ).correction
  }
}

extension HeadphoneCorrection {
  /// A correction without effect.
  fileprivate static var none: HeadphoneCorrection {
    do {
      return try HeadphoneCorrection(sections: [], preampGain: 0)
    } catch {
      preconditionFailure("no sections are a correction: \(error)")
    }
  }
}
