public import Foundation

/// Where pieces are kept: ``FolderPieceLibrary``, or a service that an application brings.
///
/// A library takes whole pieces and gives them back; that they are whole and valid is seen to by the
/// drop. Its functions may be called from any thread, several at a time, also for one piece; each is
/// told on behalf of which application, and may refuse it.
public protocol PieceLibrary: Sendable {
  /// Makes a place for a new piece, which nobody sees yet.
  func beginDrop(
    for configuration: PieceConfiguration
  ) async throws(PieceLibraryError) -> PieceStaging

  /// Takes a piece, all of whose parts are in its place: from now on it is there for everybody, or
  /// it is not there at all and this throws. After this the place is the library's.
  func completeDrop(
    _ staging: PieceStaging, _ record: PieceRecord, for configuration: PieceConfiguration
  ) async throws(PieceLibraryError)

  /// Removes the place of a piece that will not be completed, as far as that can be done.
  func abandonDrop(_ staging: PieceStaging, for configuration: PieceConfiguration) async

  /// All pieces that the application may see. One that is broken fails nothing but itself.
  func listing(for configuration: PieceConfiguration) async throws(PieceLibraryError)
    -> PieceListing

  /// What is known of one piece.
  func record(
    of identifier: PieceIdentifier, for configuration: PieceConfiguration
  ) async throws(PieceLibraryError) -> PieceRecord

  /// A file with a part of a piece, to be read and not to be changed; it may be a copy.
  func file(
    _ part: PiecePart, of record: PieceRecord, for configuration: PieceConfiguration
  ) async throws(PieceLibraryError) -> URL
}
