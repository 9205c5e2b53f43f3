/// One of a listener's two ears.
public enum Ear: String, Sendable, Hashable, CaseIterable, Codable {
  /// The left ear. In charts, the symbols of the left ear are blue crosses.
  case left
  /// The right ear. In charts, the symbols of the right ear are red circles.
  case right

  /// The order of the ears in a report: first the right ear, then the left ear. A person who faces
  /// the listener sees the listener's right ear on the left. Therefore the right ear is on the left
  /// side of the page.
  public static let clinicalOrder: [Ear] = [.right, .left]
}
