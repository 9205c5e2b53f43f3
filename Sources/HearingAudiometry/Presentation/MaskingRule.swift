/// Decides when the other ear could hear the tone, and how much masking noise prevents this.
///
/// A tone of level L at one ear reaches the other ear with at least L − A, where A is the smallest
/// interaural attenuation. The other ear is masked if this level may reach its threshold (rule 1 of
/// the British Society of Audiology's procedure, 2018). The noise follows the tone: its effective
/// masking level is L − A + 10 dB. This is 10 dB above the tone at the other ear. The noise that
/// crosses back is at least 2 A − 10 dB below the tone, so the noise never hides the tone itself.
///
/// Only air conduction is measured, so the rule assumes equal thresholds for bone conduction and
/// air conduction at the other ear.
struct MaskingRule: Sendable, Hashable {
  /// The level of the noise above the tone that crosses the head, in dB.
  static let margin = 10.0

  let interauralAttenuation: Double

  /// Whether a tone may be heard by the other ear, whose threshold is at least `threshold` dB HL.
  func crossesOver(level: Double, otherThreshold threshold: Double) -> Bool {
    level - interauralAttenuation >= threshold
  }

  /// The noise for the other ear in dB HL.
  func noiseLevel(forTone level: Double) -> Double {
    level - interauralAttenuation + Self.margin
  }
}
