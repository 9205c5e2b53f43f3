/// What is heard of a piece before it is opened.
public enum PiecePreview: Sendable {
  /// The mix stem serves as the preview.
  case mixStem
  /// The application renders one, as WAV of any length; where it delivers nil, the mix stem serves.
  case rendered(@Sendable () async throws -> PieceContent?)
  /// The mix stem is rendered for a listener.
  case personalised(PersonalisedPreview)
}
