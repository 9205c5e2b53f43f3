/// One of a listener's two ears.
public enum Ear: String, Sendable, Hashable, CaseIterable {
  /// The left ear; drawn blue, with crosses.
  case left
  /// The right ear; drawn red, with circles.
  case right
}
