/// What an application gives when it drops a piece: the sound, and what may come with it.
///
///     var renderer = PieceRenderer { .file(try await song.bounce()) }
///     renderer.coverImage = { .data(try await song.picture(side: CoverImage.side)) }
///     renderer.dropEnded = { result in … }
///
/// Each closure is called once, one after the other in the order of the properties, off the thread
/// that began the drop; it may take its time. It should stop when its task is cancelled. An error
/// that it throws ends the drop.
public struct PieceRenderer: Sendable {
  /// Delivers the mix stem: WAV of any rate and any number of channels, as long as the metadata say
  /// to within a frame.
  public var mixStem: @Sendable () async throws -> PieceContent

  /// What is heard before the piece is opened. Default: the mix stem.
  public var preview: PiecePreview

  /// Delivers a picture of 640 × 640 pixels as PNG or JPEG; nil: there is none.
  public var coverImage: (@Sendable () async throws -> PieceContent?)?

  /// Delivers something of the application's own, of up to 30 MB; nil: there is none.
  public var attachment: (@Sendable () async throws -> PieceAttachment?)?

  /// Told at the end, once, whether the drop went through; before the drop's result is delivered.
  public var dropEnded: (@Sendable (Result<Piece, DropError>) -> Void)?

  /// A renderer of what is given.
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
