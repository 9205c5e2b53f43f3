public import Foundation
internal import HearingAudio

/// A piece of music in a library: its metadata, and access to its files.
///
///     let piece = try await exchange.piece(identifier)
///     print(piece.metadata.title, piece.metadata.tonality.displayName)
///     let reader = try WAVReader(path: try await piece.mixStem(format: .wav).path)
///
/// The value itself contains no audio. The files belong to the library. You may read the files, but
/// must not change them.
public struct Piece: Sendable {
  /// The library's record of the piece.
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

  /// The identifier in the library.
  public var identifier: PieceIdentifier { record.identifier }

  /// The metadata.
  public var metadata: PieceMetadata { record.metadata }

  /// Returns the formats in which the library delivers the mix stem or the preview. The array is
  /// empty for all other parts, and for parts that the piece does not have.
  public func formats(of part: PiecePart) async throws(PieceError) -> [PieceAudioFormat] {
    try await library.formats(of: part, in: record, for: configuration)
  }

  /// Returns a file with the mix stem.
  ///
  /// - Parameter format: One of ``formats(of:)``. If nil, the file contains exactly the bytes that
  ///   were dropped.
  /// - Throws: The library's error, such as ``PieceError/noFormat(_:of:available:)``.
  public func mixStem(
    format: PieceAudioFormat? = nil
  ) async throws(PieceError) -> URL {
    try await file(.mixStem, format)
  }

  /// Returns a file with the preview, or with the mix stem if the piece has no preview.
  ///
  /// - Throws: The same errors as ``mixStem(format:)``.
  public func preview(
    format: PieceAudioFormat? = nil
  ) async throws(PieceError) -> URL {
    try await file(record.has(.preview) ? .preview : .mixStem, format)
  }

  /// Returns a file with the cover image, PNG or JPEG. Returns nil if there is no cover image.
  public func coverImage() async throws(PieceError) -> URL? {
    record.has(.coverImage) ? try await file(.coverImage) : nil
  }

  /// Returns a file with the attachment. The type of the attachment is in the record's
  /// `attachmentType`. Returns nil if there is no attachment.
  public func attachment() async throws(PieceError) -> URL? {
    record.has(.attachment) ? try await file(.attachment) : nil
  }

  /// Writes a copy of the mix stem. The copy becomes visible at `url` when it is complete. An
  /// existing file is replaced. If `url` is a pipe or a device, the bytes are written to it.
  ///
  /// - Throws: The same errors as ``mixStem(format:)``. Also throws an error if the copy cannot be
  ///   written or the task is cancelled.
  public func exportMixStem(
    format: PieceAudioFormat? = nil, to url: URL
  ) async throws(PieceError) {
    let file = try await mixStem(format: format)
    do {
      try FileCopy().copy(file, to: url) { digest in
        // The digest of converted audio is not known.
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
