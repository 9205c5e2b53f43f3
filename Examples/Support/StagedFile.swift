public import Foundation

/// An output file that comes into being as a whole or not at all.
///
///     let file = try StagedFile(for: "preset.json")
///     try file.write(preset.jsonData())        // or append to it, piece by piece
///     try file.commit()                        // now it is there; the old one is gone
///
/// Until ``commit()`` the content is in a temporary file in the same folder, which is removed when
/// the staged file is released. Where a command writes several files, stage all before committing
/// any. An existing file keeps its permissions; a symbolic link stays one. Devices and pipes cannot
/// be staged: they are written to directly.
///
/// Not to be shared between threads.
public final class StagedFile {
  /// The path as it was given.
  public let path: String
  /// Where to write to, until ``commit()``.
  public let url: URL

  private let destination: URL
  private var isPending: Bool
  /// Open from the first ``append(_:)`` on.
  private var handle: FileHandle?

  /// Creates the temporary file, empty.
  ///
  /// - Throws: ``CommandFailure/cannotCreate(path:reason:)``.
  public init(for path: String) throws(CommandFailure) {
    self.path = path
    let destination = URL(fileURLWithPath: path).resolvingSymlinksInPath()
    self.destination = destination
    let files = FileManager.default
    let attributes = try? files.attributesOfItem(atPath: destination.path)
    let type = attributes?[.type] as? FileAttributeType
    if type == .typeDirectory || path.hasSuffix("/") {
      throw .cannotCreate(path: path, reason: "is a folder")
    }
    guard type == nil || type == .typeRegular else {
      url = destination
      isPending = false
      return
    }
    if type != nil, !files.isWritableFile(atPath: destination.path) {
      throw .cannotCreate(path: path, reason: "permission denied")
    }
    let name = ".\(destination.lastPathComponent.prefix(80)).\(UUID().uuidString)"
    url = destination.deletingLastPathComponent().appendingPathComponent(name)
    isPending = true
    do {
      try Data().write(to: url, options: .withoutOverwriting)
      if let permissions = attributes?[.posixPermissions] {
        try files.setAttributes([.posixPermissions: permissions], ofItemAtPath: url.path)
      }
    } catch {
      try? files.removeItem(at: url)
      isPending = false
      throw .cannotCreate(path: path, reason: SystemReason.text(of: error))
    }
  }

  deinit {
    if isPending { try? FileManager.default.removeItem(at: url) }
  }

  /// Makes `data` the whole content.
  ///
  /// - Throws: ``CommandFailure/cannotWrite(path:reason:)``.
  public func write(_ data: Data) throws(CommandFailure) {
    do {
      let handle = try FileHandle(forWritingTo: url)
      defer { try? handle.close() }
      if isPending { try handle.truncate(atOffset: 0) }
      try handle.write(contentsOf: data)
    } catch {
      throw .cannotWrite(path: path, reason: SystemReason.text(of: error))
    }
  }

  /// Adds `data` to the content: for what grows while the command works.
  ///
  /// - Throws: ``CommandFailure/cannotWrite(path:reason:)``.
  public func append(_ data: Data) throws(CommandFailure) {
    do {
      let handle = try self.handle ?? FileHandle(forWritingTo: url)
      self.handle = handle
      try handle.write(contentsOf: data)
    } catch {
      throw .cannotWrite(path: path, reason: SystemReason.text(of: error))
    }
  }

  /// Puts the content in its place, at once; does nothing the second time.
  ///
  /// - Throws: ``CommandFailure/cannotWrite(path:reason:)``; the old file is then as it was.
  public func commit() throws(CommandFailure) {
    do {
      try handle?.close()
      handle = nil
    } catch {
      throw .cannotWrite(path: path, reason: SystemReason.text(of: error))
    }
    guard isPending else { return }
    guard rename(url.path, destination.path) == 0 else {
      throw .cannotWrite(path: path, reason: SystemReason.text(ofNumber: errno))
    }
    isPending = false
  }
}
