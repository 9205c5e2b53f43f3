/// One of a listener's two ears.
public enum Ear: String, Sendable, Hashable, CaseIterable {
  /// The left ear. Audiograms show it in blue with crosses.
  case left
  /// The right ear. Audiograms show it in red with circles.
  case right

  /// The order of the ears in a report. The right ear is first, on the left side, as if the reader
  /// faced the listener.
  public static let clinicalOrder: [Ear] = [.right, .left]
}
