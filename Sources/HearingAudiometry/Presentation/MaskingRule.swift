/// Decides whether the ear that is not tested could hear the tone, and how much masking noise
/// prevents this.
///
/// L is the level of the tone at the tested ear, and A is the minimum interaural attenuation. The
/// level of the tone at the other ear is then at most L − A. The other ear is masked if L − A is at
/// or above the threshold of that ear (rule 1 of the British Society of Audiology's procedure,
/// 2018). The effective masking level of the noise is L − A + 10 dB, which is 10 dB above the
/// maximum level of the tone at the other ear. The noise that crosses the head to the tested ear is
/// at least 2 A − 10 dB below the tone. Therefore the noise never masks the tone at the tested ear.
///
/// Only air conduction is measured, so the rule assumes equal thresholds for bone conduction and
/// air conduction at the other ear.
struct MaskingRule: Sendable, Hashable {
  /// The level of the noise relative to the tone that crosses the head, in dB.
  static let margin = 10.0

  let interauralAttenuation: Double

  /// Whether the other ear may hear a tone. The threshold of the other ear is at least `threshold`
  /// dB HL.
  func crossesOver(level: Double, otherThreshold threshold: Double) -> Bool {
    level - interauralAttenuation >= threshold
  }

  /// The level of the noise for the other ear in dB HL.
  func noiseLevel(forTone level: Double) -> Double {
    level - interauralAttenuation + Self.margin
  }
}
