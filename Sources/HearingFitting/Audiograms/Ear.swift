/// One of a listener's two ears.
public enum Ear: String, Sendable, Hashable, CaseIterable, Codable {
  /// The left ear. In charts, the left ear is blue and has crosses as symbols.
  case left
  /// The right ear. In charts, the right ear is red and has circles as symbols.
  case right

  /// The order of the ears in a report. The right ear comes first. The right ear is on the left
  /// side of the page, because a person who faces the listener sees the right ear on the left.
  public static let clinicalOrder: [Ear] = [.right, .left]
}
