import HearingDSP
import HearingFitting

/// The listener's audiograms and the preset that fits them.
struct ListenerFitting {
  /// The audiograms; an ear that is nil gets no gain.
  var profile = HearingProfile()

  /// The listener's fine tuning.
  var fineTuning = FineTuning.none

  /// The preset of the last ``fit(rule:program:)``; nil before the first.
  private(set) var preset: Preset?

  /// The programs by number.
  static let programs: [Program] = [.speech, .music]

  /// Makes the preset.
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
    do throws(Fitting.Invalid) {
      var prescribed = try fitting.preset(for: profile)
      prescribed.fineTuning = fineTuning
      preset = prescribed.fineTuned
    } catch {
      throw .fittingFailed
    }
  }

  /// The settings of a processor of two channels, left and right, at a sample rate in Hz.
  ///
  /// The gains are scaled by `intensity` (0…1), and an RMS of 1.0 represents `fullScale` dB SPL.
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

  /// The insertion gain in dB at a frequency above 0 Hz if the level in the band is `level` dB SPL.
  ///
  /// The gain includes the intensity (0…1) and the maximum output of the band. It is 0 for an ear
  /// without an audiogram.
  func gain(ear: Ear, frequency: Double, level: Double, intensity: Double) -> Double {
    guard let preset = preset?[ear] else { return 0 }
    let gain = intensity * preset.gain(at: frequency, inputLevel: level)
    guard let maximum = preset.curve(at: frequency).maximumOutput else { return gain }
    return min(gain, max(maximum - level, ProcessorSettings.supportedGains.lowerBound))
  }
}
