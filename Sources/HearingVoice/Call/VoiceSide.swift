/// An end of a call.
public enum VoiceSide: String, Sendable, CaseIterable {
  /// This end: the microphone.
  case near
  /// The other end: what arrives from there.
  case far
}
