import HearingDSP
import HearingFitting

/// The listener's audiograms and the preset that is computed from them.
struct ListenerFitting {
  /// The audiograms. An ear without an audiogram gets no gain.
  var profile = HearingProfile()

  /// The listener's fine tuning.
  var fineTuning = FineTuning.none

  /// The result of the last call of ``fit(rule:program:)``; nil before the first call.
  private(set) var preset: Preset?

  /// The listening programs, in the order of their numbers.
  static let programs: [Program] = [.speech, .music]

  /// Computes the preset from the audiograms.
  ///
  /// - Parameters:
  ///   - rule: An index of `PrescriptionRule.all`; −1 for the default rule of the program.
  ///   - program: An index of ``programs``.
  mutating func fit(rule: Int32, program: Int32) throws(WebFailure) {
    let rules = PrescriptionRule.all
    guard rule >= -1, rule < rules.count, Self.programs.indices.contains(Int(program)) else {
      throw .unknownNumber
    }
    let fitting = Fitting(
      techLevel: 3, rule: rule < 0 ? nil : rules[Int(rule)],
      program: Self.programs[Int(program)])
    do throws(FittingError) {
      var prescribed = try fitting.preset(for: profile)
      prescribed.fineTuning = fineTuning
      preset = prescribed.fineTuned
    } catch {
      throw .fittingFailed
    }
  }

  /// The settings of a processor with a left and a right channel.
  ///
  /// - Parameters:
  ///   - sampleRate: The sample rate in Hz.
  ///   - intensity: The factor for the gains, 0…1.
  ///   - fullScale: The level in dB SPL of an RMS of 1.0.
  func settings(
    sampleRate: Double, intensity: Double, fullScale: Double
  ) throws(WebFailure) -> ProcessorSettings {
    guard ProcessingSpec.supportedSampleRates.contains(sampleRate),
      let layout = BandLayout.audiometric.limited(to: sampleRate),
      (0...1).contains(intensity), ProcessorSettings.supportedFullScales.contains(fullScale)
    else { throw .numberOutOfRange }
    do throws(BandCurve.Invalid) {
      return try ProcessorSettings(
        preset: preset, layout: layout, ears: [.left, .right], intensity: intensity,
        calibration: Calibration(fullScaleSPL: fullScale))
    } catch {
      throw .fittingFailed
    }
  }

  /// The insertion gain in dB at a frequency, for a level of `level` dB SPL in the band. The
  /// frequency must be above 0 Hz.
  ///
  /// The gain includes the intensity (0…1) and the limit by the maximum output. It is 0 for an ear
  /// without an audiogram.
  func gain(ear: Ear, frequency: Double, level: Double, intensity: Double) -> Double {
    preset?[ear]?.toneGain(at: frequency, inputLevel: level, intensity: intensity) ?? 0
  }
}
