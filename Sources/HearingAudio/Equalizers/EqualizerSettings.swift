public import HearingDSP
public import HearingFitting

/// The part of a preset that another program's equaliser can apply: gains that do not depend on the
/// level of the sound.
///
///     let settings = EqualizerSettings(preset: preset, inputLevel: 65)
///     let text = try settings.text(.equalizerAPO)
///
/// Each ear gets at most ten sections. Both ears get the same preamp gain, because some programs
/// have only one. The response is within 0.5 dB of the preset's gain at the audiometric frequencies
/// from 250 Hz to 8 kHz. Compression, the maximum output and the output ceiling are lost, so use
/// these settings only where the processor itself cannot run.
public struct EqualizerSettings: Sendable, Equatable {
  /// The input level in every band, in dB SPL, for which the gains were computed.
  public let inputLevel: Double

  /// The sections for the left ear, and the preamp gain; no gain if the ear is unknown.
  public let left: HeadphoneCorrection

  /// The sections for the right ear, and the preamp gain; no gain if the ear is unknown.
  public let right: HeadphoneCorrection

  /// For programs with one curve for both ears: the smaller of the two gains at every frequency;
  /// nil if an ear is unknown.
  let sharedGains: FrequencyCurve?

  /// Fits sections to the gains of a preset. This needs a few tenths of a second.
  ///
  /// - Parameters:
  ///   - preset: The preset.
  ///   - inputLevel: The input level in every band in dB SPL, −50…150.
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
    sharedGains = known.count == 2 ? Self.minimum(known[0], known[1]) : nil
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

  private static func minimum(_ one: FrequencyCurve, _ other: FrequencyCurve) -> FrequencyCurve {
    let frequencies = Set((one.points + other.points).map { $0.frequency }).sorted()
    return curve(frequencies) { min(one.level(at: $0), other.level(at: $0)) }
  }

  /// The curve through the levels at the frequencies. If there are more than 10,000 frequencies,
  /// uses an evenly spaced selection.
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
      preconditionFailure("the gains of a preset do not form a curve: \(error)")
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
      preconditionFailure("a correction without sections is invalid: \(error)")
    }
  }
}
