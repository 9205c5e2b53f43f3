public import Foundation

/// The hidden folder of an operation that adds a piece to a library (a drop operation).
///
/// The drop operation writes each part of the piece to a separate file in this folder. When all
/// parts have been written, the library makes the piece visible.
public struct PieceStaging: Sendable {
  /// The identifier of the new piece.
  public let identifier: PieceIdentifier

  /// The folder for the parts. The folder is empty at first.
  public let folder: URL

  /// An object that is retained until the drop operation ends, such as a lock.
  let hold: (any Sendable)?

  /// Creates the hidden folder of one drop operation.
  ///
  /// - Parameters:
  ///   - identifier: The identifier of the new piece.
  ///   - folder: An existing, empty folder.
  ///   - hold: An object that is retained until the drop operation ends.
  public init(identifier: PieceIdentifier, folder: URL, hold: (any Sendable)? = nil) {
    self.identifier = identifier
    self.folder = folder
    self.hold = hold
  }

  /// The URL of a part's file in the hidden folder. `record` contains the format of the part.
  public func file(_ part: PiecePart, in record: PieceRecord) -> URL {
    file(part, format: record.format(of: part), coverFormat: record.coverFormat)
  }

  /// The URL of a part's file in the hidden folder.
  ///
  /// - Parameters:
  ///   - part: The part of the piece.
  ///   - format: The format of an audio part. The default is WAV.
  ///   - coverFormat: The format of the cover image.
  package func file(
    _ part: PiecePart, format: PieceAudioFormat = .wav, coverFormat: ImageFormat? = nil
  ) -> URL {
    folder.appendingPathComponent(Self.name(of: part, format: format, coverFormat: coverFormat))
  }

  /// The file name for a part. The file name never depends on user input.
  static func name(
    of part: PiecePart, format: PieceAudioFormat, coverFormat: ImageFormat?
  ) -> String {
    switch part {
    case .mixStem: "mix-stem.\(format.fileExtension)"
    case .preview: "preview.\(format.fileExtension)"
    case .coverImage: "cover" + (coverFormat.map { ".\($0.fileExtension)" } ?? "")
    case .attachment: "attachment"
    }
  }
}
