/// Delivers the parts of a piece when an application adds the piece to a library (drops the piece).
///
///     var renderer = PieceRenderer { .file(try await song.bounce()) }
///     renderer.coverImage = { .data(try await song.picture(side: PieceContent.coverSide)) }
///     renderer.dropEnded = { result in … }
///
/// ``dropWarning`` may be called several times. Each other closure is called at most once, and
/// these closures are called in the order of the property declarations. ``dropEndedOnMainActor`` is
/// called on the main actor. All other closures are called on background threads. A closure may run
/// for a long time, but should stop when the current task is cancelled. If a closure throws an
/// error, the drop operation ends.
public struct PieceRenderer: Sendable {
  /// Delivers the mix stem, which is the complete music of the piece. The file is a WAV file, an
  /// Ogg Vorbis file, or an M4A file with AAC. Any sample rate and any number of channels are
  /// allowed. If the metadata contain a length, the length of the audio may differ from this length
  /// by at most one millisecond.
  public var mixStem: @Sendable () async throws -> PieceContent

  /// Specifies the preview of the piece. By default, the preview is the mix stem.
  public var preview: PiecePreview

  /// Delivers a cover image of 640 × 640 pixels as PNG or JPEG. If the property is nil, or if the
  /// closure returns nil, the piece has no cover image.
  public var coverImage: (@Sendable () async throws -> PieceContent?)?

  /// Scales a cover image that does not have 640 × 640 pixels. The closure returns an image of 640
  /// × 640 pixels. If the closure returns nil, the piece has no cover image. If the property is
  /// nil, a cover image of another size is omitted, and ``dropWarning`` is called.
  public var scaleCoverImage: (@Sendable (PieceContent) async throws -> PieceContent?)?

  /// Delivers an attachment of up to 30 MB. If the property is nil, or if the closure returns nil,
  /// the piece has no attachment.
  public var attachment: (@Sendable () async throws -> PieceAttachment?)?

  /// A closure that is called once with the result of the drop operation. The call occurs before
  /// ``PieceDrop/result`` delivers the result.
  public var dropEnded: (@Sendable (Result<Piece, DropError>) -> Void)?

  /// A closure that is called once on the main actor with the result of the drop operation.
  public var dropEndedOnMainActor: (@MainActor @Sendable (Result<Piece, DropError>) -> Void)?

  /// A closure that is called for each problem that does not end the drop operation. The arguments
  /// are the part of the piece and the problem.
  ///
  /// There are two such problems. After ``PieceContent/Invalid/wrongSize(width:height:)``, the
  /// piece has no cover image, because the image does not have 640 × 640 pixels and
  /// ``scaleCoverImage`` is nil. After ``PieceContent/Invalid/lengthNotStated(_:)``, the length in
  /// the metadata is not checked, because the audio file of the mix stem does not contain its
  /// length.
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
  /// The application renders a preview. The preview may have any length. All formats of a mix stem
  /// are allowed for the preview. If the closure returns nil, the mix stem is used as the preview.
  case rendered(@Sendable () async throws -> PieceContent?)
  /// The preview is the mix stem, processed with the preset of a listener.
  case personalised(PersonalisedPreview)
}
