public import Foundation

/// A piece of music in a library: what is known of it, and the way to its sound.
///
///     let piece = try await exchange.piece(identifier)
///     print(piece.metadata.title, piece.metadata.tonality.displayName)
///     let reader = try WAVReader(path: try await piece.mixStem(format: .wav).path)
///
/// It carries no sound itself. Files that it leads to are the library's: to be read, not changed.
public struct Piece: Sendable {
  /// What the library knows of it.
  public let record: PieceRecord

  private let library: any PieceLibrary
  private let configuration: PieceConfiguration

  /// A piece whose record was found.
  init(
    record: PieceRecord, library: any PieceLibrary, configuration: PieceConfiguration
  ) {
    self.record = record
    self.library = library
    self.configuration = configuration
  }

  /// The piece's name in the library.
  public var identifier: PieceIdentifier { record.identifier }

  /// What is known of the piece.
  public var metadata: PieceMetadata { record.metadata }

  /// A file with the mix stem, byte for byte as it was dropped.
  ///
  /// - Throws: ``PieceError/unsupportedFormat(_:)`` for anything but WAV, or what the library says.
  public func mixStem(
    format: PieceAudioFormat = .wav
  ) async throws(PieceError) -> URL {
    try await sound(.mixStem, format)
  }

  /// A file with the preview; the mix stem where no preview was dropped.
  ///
  /// - Throws: As ``mixStem(format:)``.
  public func preview(
    format: PieceAudioFormat = .wav
  ) async throws(PieceError) -> URL {
    try await sound(record.has(.preview) ? .preview : .mixStem, format)
  }

  /// A file with the cover image, stored as the record's `coverFormat` says; nil: there is none.
  public func coverImage() async throws(PieceError) -> URL? {
    record.has(.coverImage) ? try await file(.coverImage) : nil
  }

  /// A file with the attachment, of the record's `attachmentType`; nil: there is none.
  public func attachment() async throws(PieceError) -> URL? {
    record.has(.attachment) ? try await file(.attachment) : nil
  }

  /// Writes a copy of the mix stem, which appears at `url` only when it is complete; a file that is
  /// there is replaced, a pipe or a device written to.
  ///
  /// - Throws: As ``mixStem(format:)``, and if the copy cannot be written or the task is cancelled.
  public func exportMixStem(
    format: PieceAudioFormat = .wav, to url: URL
  ) async throws(PieceError) {
    let file = try await mixStem(format: format)
    do {
      try FileCopy().copy(file, to: url)
    } catch {
      throw PieceError(copying: error)
    }
  }

  private func sound(
    _ part: PiecePart, _ format: PieceAudioFormat
  ) async throws(PieceError) -> URL {
    guard PieceAudioFormat.writable.contains(format) else { throw .unsupportedFormat(format) }
    return try await file(part)
  }

  private func file(_ part: PiecePart) async throws(PieceError) -> URL {
    do {
      return try await library.file(part, of: record, for: configuration)
    } catch {
      throw .library(error)
    }
  }
}
