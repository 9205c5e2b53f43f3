public import Foundation
internal import HearingAudio
internal import HearingFitting

/// An output file that appears only when it is complete.
///
///     let file = try StagedFile(for: "preset.json")
///     try file.write(preset.jsonData())        // or append to it, piece by piece
///     try file.commit()                        // replaces the old file
///
/// Until ``commit()``, the content is in a temporary file in the same folder. The temporary file is
/// removed when the staged file is released. A command that writes several files stages all files
/// before it commits the first file.
///
/// An existing file keeps its permissions, and a symbolic link stays a link. Devices and pipes have
/// no temporary file: the content is written to them directly.
///
/// Do not use a staged file on several threads.
public final class StagedFile {
  /// The path as the user typed it.
  public let path: String

  private var sink: any ByteSink
  private var isEmpty = true
  private var isCommitted = false

  /// Creates an empty temporary file.
  ///
  /// - Throws: ``CommandFailure/cannotCreate(path:reason:)``.
  public init(for path: String) throws(CommandFailure) {
    self.path = path
    sink = try Self.open(path)
  }

  /// Replaces the content with `data`.
  ///
  /// - Throws: ``CommandFailure/cannotWrite(path:reason:)``.
  public func write(_ data: Data) throws(CommandFailure) {
    if !isEmpty, sink.canOverwrite { sink = try Self.open(path) }
    try append(data)
  }

  /// Appends `data` to the content.
  ///
  /// - Throws: ``CommandFailure/cannotWrite(path:reason:)``.
  public func append(_ data: Data) throws(CommandFailure) {
    isEmpty = false
    do {
      try sink.write(Array(data), at: nil)
    } catch {
      throw .cannotWrite(path: path, reason: error.reason)
    }
  }

  /// Replaces the existing file atomically. A second call does nothing.
  ///
  /// - Throws: ``CommandFailure/cannotWrite(path:reason:)``. After this error, the existing file is
  ///   unchanged.
  public func commit() throws(CommandFailure) {
    guard !isCommitted else { return }
    do {
      try sink.commit()
    } catch {
      throw .cannotWrite(path: path, reason: error.reason)
    }
    isCommitted = true
  }

  /// Commits several files one after the other. Each existing file is replaced atomically.
  ///
  /// - Returns: Text to print, with one line for each file.
  public static func commit(_ files: [StagedFile]) throws(CommandFailure) -> String {
    for file in files { try file.commit() }
    return files.map { "\($0.path.singleLine(limit: 200)) written\n" }.joined()
  }

  private static func open(_ path: String) throws(CommandFailure) -> any ByteSink {
    guard !path.isEmpty else { throw .cannotCreate(path: path, reason: "the path is empty") }
    do {
      return try FileByteSink(path: path)
    } catch {
      throw CommandFailure(error, writing: path)
    }
  }
}
