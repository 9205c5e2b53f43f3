/// Decides whether the ear that is not tested (the other ear) could hear the tone. If the other ear
/// could hear the tone, the rule computes the level of the masking noise for the other ear.
///
/// L is the level of the tone at the tested ear, and A is the minimum interaural attenuation. At
/// the other ear, the level of the tone is therefore at most L − A. The other ear is masked if its
/// threshold is at most L − A. The source of this condition is rule 1 of the British Society of
/// Audiology's procedure (2018).
///
/// The effective masking level of the noise is L − A + 10 dB. This level is 10 dB above the maximum
/// level of the tone at the other ear. A part of the noise crosses the head to the tested ear. At
/// the tested ear, the noise is at least 2 A − 10 dB below the tone. A is at least 20 dB, so this
/// difference is at least 30 dB. The noise therefore never masks the tone at the tested ear.
///
/// Only air conduction is measured. The rule therefore assumes that the bone-conduction threshold
/// of the other ear equals its air-conduction threshold.
struct MaskingRule: Sendable, Hashable {
  /// The level of the masking noise minus the maximum level of the tone at the masked ear, in dB.
  static let margin = 10.0

  let interauralAttenuation: Double

  /// Whether the other ear may hear a tone. The argument `level` is the level of the tone at the
  /// tested ear, in dB HL. The argument `threshold` is a lower bound of the other ear's threshold,
  /// in dB HL.
  func crossesOver(level: Double, otherThreshold threshold: Double) -> Bool {
    level - interauralAttenuation >= threshold
  }

  /// The effective masking level in dB HL of the noise for the other ear. The argument `level` is
  /// the level of the tone at the tested ear, in dB HL.
  func noiseLevel(forTone level: Double) -> Double {
    level - interauralAttenuation + Self.margin
  }

  /// The inverse of ``noiseLevel(forTone:)``: the level of the tone for a given effective masking
  /// level of the noise. Both levels are in dB HL.
  func toneLevel(forNoise level: Double) -> Double {
    level + interauralAttenuation - Self.margin
  }
}
