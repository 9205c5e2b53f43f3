/// The hearing threshold that a fitting assumes where the listener did not respond.
///
///     let profile = HearingProfile(left: try Audiogram(points: [
///       .init(frequency: 1000, threshold: 60),
///       .init(frequency: 4000, threshold: 85, isNoResponse: true),
///     ]))
///     let preset = try Fitting.techLevel(3).preset(for: profile)
///     preset.left?.assumedThresholds      // 4 kHz: tested up to 85 dB HL, assumed 90 dB HL
///
/// No response at 85 dB HL says that the threshold is higher, but not by how much. The fitting
/// assumes ``noResponseStep`` more. In the 5 dB steps of an audiometer (ISO 8253-1) this is the
/// lowest possible threshold, so it gives the minimum gain that the measurement supports. Using the
/// tested level itself would give less gain, but that level is known to be inaudible.
///
/// Conventions for grading a hearing loss assume much more, because they have to assign a number to
/// a deaf ear. They are not suitable for a fitting after a test that stops at a safe level: a
/// listener whose threshold is only just above that level would get far too much gain.
///
/// ``Fitting`` applies the assumption, for every rule, and the preset lists it.
/// ``Audiogram/threshold(at:)``, averages and grades use the level that was tested, as does a
/// ``PrescriptionRule`` without a fitting.
public struct AssumedThreshold: Sendable, Hashable {
  /// The frequency in Hz.
  public let frequency: Double
  /// The maximum level that was tested, without a response, in dB HL.
  public let tested: Double
  /// The threshold that the fitting assumes, in dB HL.
  public let assumed: Double

  /// The difference between the assumed threshold and the maximum level tested: 5 dB.
  ///
  /// Measured with simulated listeners with the standard audiogram S2, whose thresholds of 95 dB HL
  /// are above the safe level of the hearing test: the intelligibility (HASPI) of speech in noise
  /// differs by -0.001 on average from the intelligibility with the true thresholds; without the
  /// assumption, by -0.025. `Benchmarks/benefit/hearing_test.py` repeats the measurement.
  public static let noResponseStep = 5.0

  /// An assumed threshold; the frequency in Hz, levels in dB HL.
  public init(frequency: Double, tested: Double, assumed: Double) {
    self.frequency = frequency
    self.tested = tested
    self.assumed = assumed
  }

  /// The audiogram with assumed thresholds for the points without a response, and these thresholds.
  ///
  /// No threshold is assumed above ``Audiogram/thresholdRange``.
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
