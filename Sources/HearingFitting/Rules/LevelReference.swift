/// What an input level given to a prescription rule is the level of.
public enum LevelReference: String, Sendable, Hashable, Codable {
  /// The level of the sound within the band around the frequency, in dB SPL.
  case band
  /// The overall level of speech, in dB SPL.
  case overall
}
