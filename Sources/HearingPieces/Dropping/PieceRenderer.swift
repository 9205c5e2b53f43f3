/// Delivers the parts of a piece when an application drops it.
///
///     var renderer = PieceRenderer { .file(try await song.bounce()) }
///     renderer.coverImage = { .data(try await song.picture(side: CoverImage.side)) }
///     renderer.dropEnded = { result in … }
///
/// Each closure is called once, in the order of the properties, and not on the thread that started
/// the drop. It may take any amount of time and should stop when its task is cancelled. An error
/// that it throws ends the drop.
public struct PieceRenderer: Sendable {
  /// Delivers the mix stem: WAV of any sample rate and number of channels, with the length given in
  /// the metadata, within one frame.
  public var mixStem: @Sendable () async throws -> PieceContent

  /// The preview. Default: the mix stem.
  public var preview: PiecePreview

  /// Delivers a cover of 640 × 640 pixels as PNG or JPEG; nil: none.
  public var coverImage: (@Sendable () async throws -> PieceContent?)?

  /// Delivers an attachment of up to 30 MB; nil: none.
  public var attachment: (@Sendable () async throws -> PieceAttachment?)?

  /// Called once with the result, before ``PieceDrop/result`` delivers it.
  public var dropEnded: (@Sendable (Result<Piece, DropError>) -> Void)?

  /// Creates a renderer.
  public init(
    preview: PiecePreview = .mixStem,
    coverImage: (@Sendable () async throws -> PieceContent?)? = nil,
    attachment: (@Sendable () async throws -> PieceAttachment?)? = nil,
    dropEnded: (@Sendable (Result<Piece, DropError>) -> Void)? = nil,
    mixStem: @escaping @Sendable () async throws -> PieceContent
  ) {
    self.preview = preview
    self.coverImage = coverImage
    self.attachment = attachment
    self.dropEnded = dropEnded
    self.mixStem = mixStem
  }
}

/// The sound that is played before a piece is opened.
public enum PiecePreview: Sendable {
  /// The mix stem serves as the preview.
  case mixStem
  /// The application renders a preview, as WAV of any length. If the closure returns nil, the mix
  /// stem serves as the preview.
  case rendered(@Sendable () async throws -> PieceContent?)
  /// The mix stem is rendered for a listener.
  case personalised(PersonalisedPreview)
}
