public import Foundation

/// What a library knows of a piece without opening its sound.
///
/// Kept beside the parts as JSON; see ``init(json:)``.
public struct PieceRecord: Sendable, Hashable {
  /// The piece's name in the library.
  public let identifier: PieceIdentifier

  /// What is known of the piece.
  public let metadata: PieceMetadata

  /// Which application dropped it.
  public let applicationIdentifier: String

  /// When it was dropped, to the millisecond.
  public let droppedAt: Date

  /// The bytes of each part; the mix stem is always there.
  public let byteCounts: [PiecePart: Int64]

  /// How the cover image is stored; nil: there is none.
  public let coverFormat: ImageFormat?

  /// What the attachment is; nil: there is none.
  public let attachmentType: MediaType?

  /// A record of a piece.
  ///
  /// - Parameters:
  ///   - identifier: Its name in the library.
  ///   - metadata: What is known of it.
  ///   - applicationIdentifier: Which application dropped it.
  ///   - droppedAt: When; kept to the millisecond, in the years 1 to 9999.
  ///   - byteCounts: The bytes of each part, with the mix stem.
  ///   - coverFormat: If, and only if, there is a cover image.
  ///   - attachmentType: If, and only if, there is an attachment.
  public init(
    identifier: PieceIdentifier, metadata: PieceMetadata, applicationIdentifier: String,
    droppedAt: Date, byteCounts: [PiecePart: Int64], coverFormat: ImageFormat? = nil,
    attachmentType: MediaType? = nil
  ) {
    let seconds = droppedAt.timeIntervalSince1970
    precondition(Self.seconds.contains(seconds), "dropped at \(seconds) s since 1970")
    precondition(byteCounts[.mixStem] != nil, "a piece without a mix stem")
    precondition(
      byteCounts.values.allSatisfy { $0 >= 0 }, "a part of negative length: \(byteCounts)")
    precondition(
      (byteCounts[.coverImage] != nil) == (coverFormat != nil), "a cover image and its format")
    precondition(
      (byteCounts[.attachment] != nil) == (attachmentType != nil), "an attachment and its type")
    self.identifier = identifier
    self.metadata = metadata
    self.applicationIdentifier = applicationIdentifier
    self.droppedAt = Date(timeIntervalSince1970: (seconds * 1000).rounded() / 1000)
    self.byteCounts = byteCounts
    self.coverFormat = coverFormat
    self.attachmentType = attachmentType
  }

  /// Whether the piece has this part.
  public func has(_ part: PiecePart) -> Bool {
    byteCounts[part] != nil
  }

  /// The seconds since 1970 that ISO 8601 writes: the years 1 to 9999.
  static let seconds = -62_135_596_800.0..<253_402_300_799.0
}
