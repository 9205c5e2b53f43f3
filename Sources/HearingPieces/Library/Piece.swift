public import Foundation
internal import HearingAudio

/// A piece of music in a library: the metadata of the piece, and access to its files.
///
///     let piece = try await exchange.piece(identifier)
///     print(piece.metadata.title, piece.metadata.tonality.displayName)
///     let reader = try WAVReader(path: try await piece.mixStem(format: .wav).path)
///
/// A `Piece` contains no audio. The files of the piece belong to the library. An app may read these
/// files, but must not change them.
public struct Piece: Sendable {
  /// The record of the piece in the library, with the metadata, the origin and the files.
  public let record: PieceRecord

  private let library: any PieceLibrary
  private let configuration: PieceConfiguration

  /// Creates a piece from its record.
  init(
    record: PieceRecord, library: any PieceLibrary, configuration: PieceConfiguration
  ) {
    self.record = record
    self.library = library
    self.configuration = configuration
  }

  /// The identifier of the piece in the library.
  public var identifier: PieceIdentifier { record.identifier }

  /// The metadata of the piece.
  public var metadata: PieceMetadata { record.metadata }

  /// Returns the formats in which the library delivers the mix stem or the preview. For any other
  /// part, and for a part that the piece does not have, the result is empty.
  public func formats(of part: PiecePart) async throws(PieceError) -> [PieceAudioFormat] {
    try await library.formats(of: part, in: record, for: configuration)
  }

  /// Returns a file with the mix stem, which is the complete music of the piece.
  ///
  /// - Parameter format: A format that ``formats(of:)`` returns. If `format` is nil, the file
  ///   contains exactly the bytes of the original file.
  /// - Throws: The error of the library, for example ``PieceError/noFormat(_:of:available:)``.
  public func mixStem(
    format: PieceAudioFormat? = nil
  ) async throws(PieceError) -> URL {
    try await file(.mixStem, format)
  }

  /// Returns a file with the preview. If the piece has no preview, returns a file with the mix
  /// stem.
  ///
  /// - Throws: The same errors as ``mixStem(format:)``.
  public func preview(
    format: PieceAudioFormat? = nil
  ) async throws(PieceError) -> URL {
    try await file(record.has(.preview) ? .preview : .mixStem, format)
  }

  /// Returns a PNG or JPEG file with the cover image, or nil if there is no cover image.
  public func coverImage() async throws(PieceError) -> URL? {
    record.has(.coverImage) ? try await file(.coverImage) : nil
  }

  /// Returns a file with the attachment, or nil if there is no attachment. The property
  /// `attachmentType` of the record contains the type of the attachment.
  public func attachment() async throws(PieceError) -> URL? {
    record.has(.attachment) ? try await file(.attachment) : nil
  }

  /// Writes a copy of the mix stem to `url`. The copy appears at `url` only when the copy is
  /// complete. An existing file at `url` is replaced. If `url` refers to a pipe or a device, the
  /// mix stem is written into the pipe or the device.
  ///
  /// - Throws: The same errors as ``mixStem(format:)``. An error is also thrown if the copy cannot
  ///   be written, or if the task is cancelled.
  public func exportMixStem(
    format: PieceAudioFormat? = nil, to url: URL
  ) async throws(PieceError) {
    let file = try await mixStem(format: format)
    do {
      try FileCopy().copy(file, to: url) { digest in
        // Converted audio cannot be checked, because the record contains only the digest of the
        // original file.
        let isConverted = format != nil && format != record.format(of: .mixStem)
        guard isConverted || digest == record.digests[.mixStem] else {
          throw PieceError.corrupted(identifier, part: .mixStem)
        }
      }
    } catch {
      throw PieceError(copying: error)
    }
  }

  private func file(
    _ part: PiecePart, _ format: PieceAudioFormat? = nil
  ) async throws(PieceError) -> URL {
    try await library.file(part, of: record, format: format, for: configuration)
  }
}

extension PieceError {
  /// Converts the error of a failed copy operation.
  fileprivate init(copying error: any Error) {
    switch error {
    case let error as FileAccessError: self = .cannotCopy(error)
    case let error as PieceError: self = error
    case is CancellationError: self = .cancelled
    default: self = .unavailable(reason: "\(error)")
    }
  }
}
