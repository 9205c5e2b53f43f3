public import HearingDSP
public import HearingFitting

/// The gains of a preset for one input level, as settings for the equaliser of another program.
///
///     let settings = EqualizerSettings(preset: preset, inputLevel: 65)
///     let text = try settings.text(.equalizerAPO)
///
/// Each ear gets at most ten filter sections. Both ears get the same preamp gain, because some
/// programs have only one preamp gain. The error is the difference between the response of the
/// equaliser and the gains of the preset. For common audiograms, the error at the audiometric
/// frequencies from 250 Hz to 8 kHz is at most 0.2 dB. From 20 to 250 Hz, the error is at most 1
/// dB. From 8 to 16 kHz, the error can be several dB. If the hearing thresholds of neighbouring
/// frequencies differ strongly, the error can also be several dB. The equaliser does not compress
/// the signal, and does not limit its level to the maximum output or to an output ceiling. Use an
/// equaliser only if a `BandGainProcessor` cannot process the audio.
public struct EqualizerSettings: Sendable, Equatable {
  /// The input level in dB SPL for which the gains were computed. The input level is the same in
  /// every band.
  public let inputLevel: Double

  /// The filter sections and the preamp gain for the left ear. If the preset does not contain the
  /// left ear, there are no sections and the preamp gain is 0 dB.
  public let left: HeadphoneCorrection

  /// The filter sections and the preamp gain for the right ear. If the preset does not contain the
  /// right ear, there are no sections and the preamp gain is 0 dB.
  public let right: HeadphoneCorrection

  /// The gains for programs that have one curve for both ears. At every frequency, the gain of the
  /// curve is the smaller of the two ears' gains. Nil if the preset does not contain both ears.
  let sharedGains: FrequencyCurve?

  /// Fits filter sections to the gains of a preset. The call takes a few tenths of a second.
  ///
  /// - Parameters:
  ///   - preset: The preset.
  ///   - inputLevel: The input level in every band, −50…150 dB SPL.
  public init(preset: Preset, inputLevel: Double = 65) {
    precondition(
      EarPreset.inputLevelRange.contains(inputLevel), "an input level of \(inputLevel) dB SPL")
    self.inputLevel = inputLevel
    let tuned = preset.fineTuned
    let curves = Ear.allCases.map { ear in
      tuned[ear].map { ear in
        Self.curve(ear.frequencies) { ear.gain(at: $0, inputLevel: inputLevel) }
      }
    }
    let known = curves.compactMap { $0 }
    // Both ears get the same preamp gain. An ear without a preset must get no gain. Therefore, if
    // the preset contains only one ear, the preamp gain of both ears is 0 dB.
    let preamp = known.count == 2 ? Self.meanGain(of: known) : 0
    left = Self.sections(for: curves[0], preamp)
    right = curves[0] == curves[1] ? left : Self.sections(for: curves[1], preamp)
    sharedGains = known.count == 2 ? Self.minimum(known[0], known[1]) : nil
  }

  /// Whether both ears have the same gains.
  public var isSameForBothEars: Bool { left == right }

  /// The filter sections for programs that have one curve for both ears.
  func sections(forBoth gains: FrequencyCurve) -> HeadphoneCorrection {
    isSameForBothEars ? left : Self.sections(for: gains, Self.meanGain(of: [gains]))
  }

  private static func minimum(_ one: FrequencyCurve, _ other: FrequencyCurve) -> FrequencyCurve {
    let frequencies = Set(one.table.frequencies + other.table.frequencies).sorted()
    return curve(frequencies) { min(one.level(at: $0), other.level(at: $0)) }
  }

  /// Creates a curve with a point at each of `frequencies`. `level` returns the gain in dB at a
  /// frequency.
  private static func curve(
    _ frequencies: [Double], _ level: (Double) -> Double
  ) -> FrequencyCurve {
    FrequencyCurve(FrequencyTable(frequencies: frequencies, values: frequencies.map(level)))
  }

  /// The mean gain of all curves in dB at the audiometric frequencies. The mean gain is rounded to
  /// 0.1 dB, and limited to 20 dB.
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
    guard let gains else { return .valid([], preampGain: 0) }
    return .fitted(
      insertionGains: gains, preampGain: preampGain, exactAt: BandLayout.audiometric.centers)
  }
}
