/// Delivers the parts of a piece when an application drops it.
///
///     var renderer = PieceRenderer { .file(try await song.bounce()) }
///     renderer.coverImage = { .data(try await song.picture(side: PieceContent.coverSide)) }
///     renderer.dropEnded = { result in … }
///
/// Each closure except ``dropWarning`` is called at most once, in the order of the properties.
/// Except for ``dropEndedOnMainActor``, the closures are not called on the thread that started the
/// operation. A closure may run for any length of time, and should stop when its task is cancelled.
/// If a closure throws an error, the operation ends.
public struct PieceRenderer: Sendable {
  /// Delivers the mix stem, which is the complete music. The file is WAV, Ogg Vorbis or AAC in an
  /// M4A file, with any sample rate and number of channels. The length of the file may differ from
  /// the length in the metadata by at most one millisecond.
  public var mixStem: @Sendable () async throws -> PieceContent

  /// Specifies the preview. The default is the mix stem.
  public var preview: PiecePreview

  /// Delivers a cover of 640 × 640 pixels as PNG or JPEG. Nil means that there is no cover.
  public var coverImage: (@Sendable () async throws -> PieceContent?)?

  /// Called if the cover is not 640 × 640 pixels. The closure delivers a scaled cover of that size.
  /// If it returns nil, the dropped piece has no cover image. If there is no closure, the dropped
  /// piece has no cover image either, and ``dropWarning`` is called.
  public var scaleCoverImage: (@Sendable (PieceContent) async throws -> PieceContent?)?

  /// Delivers an attachment of up to 30 MB. Nil means that there is no attachment.
  public var attachment: (@Sendable () async throws -> PieceAttachment?)?

  /// Called once with the result. The call comes before ``PieceDrop/result`` delivers the result.
  public var dropEnded: (@Sendable (Result<Piece, DropError>) -> Void)?

  /// Called on the main actor with the result.
  public var dropEndedOnMainActor: (@MainActor @Sendable (Result<Piece, DropError>) -> Void)?

  /// Called for each problem that does not end the operation, with the part and the problem.
  ///
  /// The problem is ``PieceContent/Invalid/wrongSize(width:height:)`` if the dimensions of the
  /// cover are not 640 × 640 pixels and the cover was not scaled. The piece then has no cover. The
  /// problem is ``PieceContent/Invalid/lengthNotStated(_:)`` if the audio file of the mix stem does
  /// not contain its length. The length was then not compared with the metadata.
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
  /// The application renders a preview. The preview may have any length and any format that a mix
  /// stem may have. If the closure returns nil, the mix stem is used as the preview.
  case rendered(@Sendable () async throws -> PieceContent?)
  /// The mix stem is rendered for a listener.
  case personalised(PersonalisedPreview)
}
