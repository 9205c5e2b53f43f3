public import Foundation
internal import HearingAudio
internal import HearingFitting

/// An output file that appears only when it is complete.
///
///     let file = try StagedFile(for: "preset.json")
///     try file.write(preset.jsonData())        // or append to it, piece by piece
///     try file.commit()                        // replaces the old file
///
/// Until ``commit()`` the content is in a temporary file in the same folder, which is removed when
/// the staged file is released. A command that writes several files stages all of them before it
/// commits the first. An existing file keeps its permissions; a symbolic link stays a link. Devices
/// and pipes are written to directly.
///
/// Do not share a staged file between threads.
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
      try sink.write(contentsOf: data)
    } catch {
      throw .cannotWrite(path: path, reason: error.reason)
    }
  }

  /// Replaces the old file in one step. A second call does nothing.
  ///
  /// - Throws: ``CommandFailure/cannotWrite(path:reason:)``; in this case, the old file is
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

  /// Replaces all old files, each in one step.
  ///
  /// - Returns: A line for each file, to be printed.
  public static func commit(_ files: [StagedFile]) throws(CommandFailure) -> String {
    for file in files { try file.commit() }
    return files.map { "\($0.path.singleLine(limit: 200)) written\n" }.joined()
  }

  private static func open(_ path: String) throws(CommandFailure) -> any ByteSink {
    guard !path.isEmpty else { throw .cannotCreate(path: path, reason: "the path is empty") }
    do {
      return try openByteSink(path: path)
    } catch {
      throw CommandFailure(error, writing: path)
    }
  }
}
