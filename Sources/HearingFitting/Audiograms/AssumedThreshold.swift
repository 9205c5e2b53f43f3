/// The hearing threshold that a fitting assumes at a frequency where the listener did not respond.
///
///     let profile = HearingProfile(left: try Audiogram(points: [
///       .init(frequency: 1000, threshold: 60),
///       .init(frequency: 4000, threshold: 85, isNoResponse: true),
///     ]))
///     let preset = try Fitting.techLevel(3).preset(for: profile)
///     preset.left?.assumedThresholds      // 4 kHz: tested up to 85 dB HL, assumed 90 dB HL
///
/// If the listener does not respond at 85 dB HL, the threshold is higher than 85 dB HL, but the
/// exact value is unknown. The fitting assumes a threshold that is 5 dB above the tested level
/// (``noResponseStep``). An audiometer changes the level in steps of 5 dB (ISO 8253-1). The assumed
/// threshold is therefore the lowest threshold that an audiometer could find above the tested
/// level. The next lower threshold in steps of 5 dB is the tested level. A threshold at the tested
/// level would contradict the missing response.
///
/// A listener who did not respond cannot hear a tone at the tested level. If a fitting used the
/// tested level as the threshold, the threshold would be too low. With most rules, a threshold that
/// is too low results in too little gain. The rule ``PrescriptionRule/comfortableSpeech`` is
/// different: above 80 dB HL, a greater hearing loss gets less gain. With comfortable speech, a
/// threshold that is too low can therefore result in too much gain.
///
/// Methods that grade a hearing loss must assign a threshold even to a deaf ear. Therefore these
/// methods assume much higher thresholds at frequencies without a response. Such thresholds are not
/// suitable for a fitting if the hearing test presents only tones up to a safe level. A listener
/// with a true threshold just above the safe level would get far too much gain.
///
/// A fitting also creates a preset for an ear that did not respond at any frequency. Such an ear
/// may be deaf, but may also have thresholds of, for example, 90 dB HL. The following results are
/// for a listener who did not respond to tones of 85 dB HL at any frequency. If all true thresholds
/// are 90 dB HL, the fitting raises the Speech Intelligibility Index from 0 to 0.20. If all true
/// thresholds are 100 dB HL or more, the index with the fitting is at most 0.004.
/// ``HearingAssessment`` reports the missing responses.
///
/// ``Fitting`` uses the assumed thresholds with every rule, and the preset lists the assumed
/// thresholds. ``Audiogram/threshold(at:)``, the pure-tone average and the hearing grade use the
/// tested level. A ``PrescriptionRule`` that is used without a ``Fitting`` also uses the tested
/// level.
public struct AssumedThreshold: Sendable, Hashable, Codable {
  /// The frequency in Hz at which the listener did not respond.
  public let frequency: Double
  /// The maximum tested level in dB HL, at which the listener did not respond.
  public let tested: Double
  /// The threshold that the fitting assumes, in dB HL.
  public let assumed: Double

  /// The difference between the assumed threshold and the maximum tested level: 5 dB.
  ///
  /// The difference of 5 dB was tested with simulated listeners. The listeners have the standard
  /// audiogram S2. At high frequencies, the thresholds of S2 are 95 dB HL. A threshold of 95 dB HL
  /// is above the safe level of the hearing test. Three kinds of fittings were compared: with the
  /// assumed thresholds, with the tested levels, and with the true thresholds. HASPI predicts the
  /// intelligibility of speech in noise on a scale from 0 to 1. With the assumed thresholds, the
  /// average HASPI is 0.001 lower than with the true thresholds. With the tested levels, the
  /// average HASPI is 0.025 lower than with the true thresholds. The HASPI values come from the
  /// script `Benchmarks/benefit/hearing_test.py`.
  public static let noResponseStep = 5.0

  /// Replaces the threshold of each point without a response with an assumed threshold. Returns the
  /// new audiogram and the assumed thresholds.
  ///
  /// Assumed thresholds are limited to ``Audiogram/thresholdRange``.
  static func applied(to audiogram: Audiogram) -> (audiogram: Audiogram, [AssumedThreshold]) {
    var thresholds: [AssumedThreshold] = []
    let points = audiogram.points.map { point in
      guard point.isNoResponse else { return point }
      var raised = point
      raised.threshold = (point.threshold + noResponseStep).limited(to: Audiogram.thresholdRange)
      if raised.threshold > point.threshold {
        thresholds.append(
          AssumedThreshold(
            frequency: point.frequency, tested: point.threshold, assumed: raised.threshold))
      }
      return raised
    }
    return (thresholds.isEmpty ? audiogram : Audiogram(validated: points), thresholds)
  }
}
