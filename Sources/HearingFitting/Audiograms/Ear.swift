/// One of a listener's two ears.
public enum Ear: String, Sendable, Hashable, CaseIterable {
  /// The left ear; drawn blue, with crosses.
  case left
  /// The right ear; drawn red, with circles.
  case right

  /// The ears as reports list them: the right ear first, on the left, as in a face-to-face view.
  public static let clinicalOrder: [Ear] = [.right, .left]
}
