/// Delivers the parts of a piece when an application drops it.
///
///     var renderer = PieceRenderer { .file(try await song.bounce()) }
///     renderer.coverImage = { .data(try await song.picture(side: PieceContent.coverSide)) }
///     renderer.dropEnded = { result in … }
///
/// Each closure is called once, in the order of the properties. It is not called on the thread that
/// started the drop of the piece. A closure may run for any length of time, and should stop when
/// its task is cancelled. If a closure throws an error, the drop ends.
public struct PieceRenderer: Sendable {
  /// Delivers the mix stem: WAV, Ogg Vorbis or AAC in an M4A file, with any sample rate and number
  /// of channels. Its length may differ from the length in the metadata by at most one millisecond.
  public var mixStem: @Sendable () async throws -> PieceContent

  /// The preview. The default is the mix stem.
  public var preview: PiecePreview

  /// Delivers a cover of 640 × 640 pixels as PNG or JPEG. Nil means that there is no cover.
  public var coverImage: (@Sendable () async throws -> PieceContent?)?

  /// Called with a cover that is not 640 × 640 pixels. The closure delivers a scaled cover of that
  /// size. If it returns nil, the dropped piece has no cover image. If there is no closure, the
  /// dropped piece has no cover image either, and ``dropWarning`` is called.
  public var scaleCoverImage: (@Sendable (PieceContent) async throws -> PieceContent?)?

  /// Delivers an attachment of up to 30 MB. Nil means that there is no attachment.
  public var attachment: (@Sendable () async throws -> PieceAttachment?)?

  /// Called once with the result, before ``PieceDrop/result`` delivers it.
  public var dropEnded: (@Sendable (Result<Piece, DropError>) -> Void)?

  /// Called on the main actor with the result.
  public var dropEndedOnMainActor: (@MainActor @Sendable (Result<Piece, DropError>) -> Void)?

  /// Called for each problem that does not end the drop, with the part and the problem.
  ///
  /// The problem is ``PieceContent/Invalid/wrongSize(width:height:)`` if the piece has no cover
  /// because the cover was not scaled. It is ``PieceContent/Invalid/lengthNotStated(_:)`` if the
  /// length of the mix stem was not compared with the metadata.
  public var dropWarning: (@Sendable (_ part: PiecePart, _ problem: PieceContent.Invalid) -> Void)?

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

/// The audio that is played before a piece is opened.
public enum PiecePreview: Sendable {
  /// The mix stem is used as the preview.
  case mixStem
  /// The application renders a preview, in any format of a mix stem and of any length. If the
  /// closure returns nil, the mix stem is used as the preview.
  case rendered(@Sendable () async throws -> PieceContent?)
  /// The mix stem is rendered for a listener.
  case personalised(PersonalisedPreview)
}
