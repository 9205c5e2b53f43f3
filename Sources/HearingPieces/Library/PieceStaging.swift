public import Foundation

/// A place in which a piece is put together before it is in a library.
///
/// Each part is written to the folder under its file name before the library is asked to take the
/// piece; nobody else looks into the folder.
public struct PieceStaging: Sendable {
  /// What the piece will be called.
  public let identifier: PieceIdentifier

  /// Where its parts are written: a folder on disk, empty at first.
  public let folder: URL

  /// What has to live as long as the drop, such as a lock.
  let hold: (any Sendable)?

  /// A place for one drop.
  ///
  /// - Parameters:
  ///   - identifier: What the piece will be called.
  ///   - folder: Where its parts are written; it exists and is empty.
  ///   - hold: Kept as long as the drop lasts.
  public init(identifier: PieceIdentifier, folder: URL, hold: (any Sendable)? = nil) {
    self.identifier = identifier
    self.folder = folder
    self.hold = hold
  }

  /// Where a part belongs; `coverFormat` is that of the cover image.
  public func file(_ part: PiecePart, coverFormat: ImageFormat? = nil) -> URL {
    folder.appendingPathComponent(Self.name(of: part, coverFormat: coverFormat))
  }

  /// The names of files; no name comes from outside.
  static func name(of part: PiecePart, coverFormat: ImageFormat?) -> String {
    switch part {
    case .mixStem: "mix-stem.wav"
    case .preview: "preview.wav"
    case .coverImage: "cover" + (coverFormat.map { ".\($0.fileExtension)" } ?? "")
    case .attachment: "attachment"
    }
  }
}
