public import Foundation

/// The record of a piece in a library: metadata, origin and files of the piece.
///
/// A ``FolderPieceLibrary`` stores the record as JSON in the folder of the piece. See
/// ``init(json:)``.
public struct PieceRecord: Sendable, Hashable {
  /// The identifier of the piece in the library.
  public let identifier: PieceIdentifier

  /// The metadata of the piece.
  public let metadata: PieceMetadata

  /// The identifier of the application that added the piece to the library.
  public let applicationIdentifier: String

  /// The time at which the piece was added to the library, rounded to the millisecond.
  public let droppedAt: Date

  /// The size of each part in bytes. The mix stem (the complete music of the piece) is always
  /// present.
  public let byteCounts: [PiecePart: Int64]

  /// The digest (checksum) of each part that ``byteCounts`` lists.
  package let digests: [PiecePart: PieceDigest]

  /// The format of each audio part. Audio parts that are not listed are WAV.
  public let soundFormats: [PiecePart: PieceAudioFormat]

  /// The file format of the cover image, or nil if there is no cover image.
  package let coverFormat: ImageFormat?

  /// The type of the attachment, or nil if there is no attachment.
  public let attachmentType: MediaType?

  /// Creates a record.
  ///
  /// - Parameters:
  ///   - identifier: The identifier of the piece in the library.
  ///   - metadata: The metadata of the piece.
  ///   - applicationIdentifier: The identifier of the application that added the piece to the
  ///     library.
  ///   - droppedAt: The time at which the piece was added to the library. The initializer rounds
  ///     the time to the millisecond. The year must be in 1583…9999.
  ///   - byteCounts: The size of each part in bytes. The mix stem must be listed.
  ///   - digests: The digest (checksum) of each part that `byteCounts` lists.
  ///   - soundFormats: The format of each audio part. Audio parts that are not listed are WAV.
  ///   - coverFormat: The file format of the cover image. For a piece without a cover image, the
  ///     argument must be nil. For a piece with a cover image, the argument must not be nil.
  ///   - attachmentType: The type of the attachment. For a piece without an attachment, the
  ///     argument must be nil. For a piece with an attachment, the argument must not be nil.
  package init(
    identifier: PieceIdentifier, metadata: PieceMetadata, applicationIdentifier: String,
    droppedAt: Date, byteCounts: [PiecePart: Int64], digests: [PiecePart: PieceDigest],
    soundFormats: [PiecePart: PieceAudioFormat] = [:], coverFormat: ImageFormat? = nil,
    attachmentType: MediaType? = nil
  ) {
    let seconds = droppedAt.timeIntervalSince1970
    precondition(Self.seconds.contains(seconds), "dropped at \(seconds) s since 1970")
    precondition(byteCounts[.mixStem] != nil, "a piece without a mix stem")
    precondition(
      byteCounts.values.allSatisfy { $0 >= 0 }, "a part of negative length: \(byteCounts)")
    precondition(
      Set(digests.keys) == Set(byteCounts.keys), "digests of \(digests.keys), not of all parts")
    precondition(
      (byteCounts[.coverImage] != nil) == (coverFormat != nil), "a cover image and its format")
    precondition(
      (byteCounts[.attachment] != nil) == (attachmentType != nil), "an attachment and its type")
    self.identifier = identifier
    self.metadata = metadata
    self.applicationIdentifier = applicationIdentifier
    self.droppedAt = Date(timeIntervalSince1970: (seconds * 1000).rounded() / 1000)
    self.byteCounts = byteCounts
    self.digests = digests
    self.soundFormats = soundFormats.filter { $0.key.isSound && $0.value != .wav }
    self.coverFormat = coverFormat
    self.attachmentType = attachmentType
  }

  /// Whether the piece has this part.
  public func has(_ part: PiecePart) -> Bool {
    byteCounts[part] != nil
  }

  /// The format that an audio part had when the piece was added to the library.
  public func format(of part: PiecePart) -> PieceAudioFormat {
    soundFormats[part] ?? .wav
  }

  /// The valid values of ``droppedAt``, in seconds since 1970. The range contains the years 1583 to
  /// 9999, which ISO 8601 can represent.
  static let seconds = -12_212_553_600.0..<253_402_300_799.0
}
