internal import Foundation
internal import HearingAudio

extension FolderPieceLibrary {
  /// Creates a hidden folder for a new piece. If the library's folder does not exist, the function
  /// first creates the library's folder. The function also removes the hidden folders of processes
  /// that have ended.
  public func beginDrop(
    for configuration: PieceConfiguration
  ) async throws(PieceError) -> PieceStaging {
    do throws(FileAccessError) {
      try checkFolder()
      try Folder(folder).create()
      removeDeadDrops()
      while true {
        let identifier = PieceIdentifier.random()
        let name = Self.stagingPrefix + identifier.text
        let stagingFolder = folder.appendingPathComponent(name, isDirectory: true)
        try Folder(stagingFolder).createNew()
        switch try DropLock.attempt(stagingFolder.path) {
        case .locked(let lock):
          return PieceStaging(identifier: identifier, folder: stagingFolder, hold: lock)
        case .unsupported:
          return PieceStaging(identifier: identifier, folder: stagingFolder)
        case .held, .gone:
          // Another process has locked the new folder first, and removes the folder. Therefore the
          // loop creates another folder.
          continue
        }
      }
    } catch {
      throw .file(error)
    }
  }

  /// Flushes the piece to the disk, and then renames the hidden folder. The renaming makes the
  /// whole piece visible in one atomic step.
  public func completeDrop(
    _ staging: PieceStaging, _ record: PieceRecord, for configuration: PieceConfiguration
  ) async throws(PieceError) {
    precondition(
      record.identifier == staging.identifier,
      "the record of \(record.identifier) in the folder of \(staging.identifier)")
    do throws(FileAccessError) {
      try checkFolder()
      let recordFile = staging.folder.appendingPathComponent(Self.recordName)
      try FileCopy.write(record.jsonData(), to: recordFile)
      try Folder(staging.folder).synchronize()
      let pieceFolder = pieceFolder(of: record.identifier)
      // Unsafe: both paths are valid during the call of `rename`.
      guard unsafe rename(staging.folder.path, pieceFolder.path) == 0 else {
        throw FileAccessError(path: pieceFolder.path, operation: "rename", code: errno)
      }
      // Flushes the directory entries of the library's folder to the disk. An error is ignored,
      // because the piece is already visible.
      try? Folder(folder).synchronize()
    } catch {
      await abandonDrop(staging, for: configuration)
      if case .system(_, _, ENOTEMPTY, _) = error { throw .alreadyThere(record.identifier) }
      if case .system(_, _, EEXIST, _) = error { throw .alreadyThere(record.identifier) }
      throw .file(error)
    }
  }

  /// Removes the hidden folder of a drop operation that failed or was cancelled.
  public func abandonDrop(
    _ staging: PieceStaging, for configuration: PieceConfiguration
  ) async {
    Folder(staging.folder).remove()
  }

  /// Removes the hidden folders of drop operations whose process has ended.
  private func removeDeadDrops() {
    let names = (try? names()) ?? []
    for name in names where name.hasPrefix(Self.stagingPrefix) {
      let stagingFolder = folder.appendingPathComponent(name, isDirectory: true)
      // A hidden folder can be locked only if the process of its drop operation has ended.
      guard case .locked(let lock) = try? DropLock.attempt(stagingFolder.path) else { continue }
      withExtendedLifetime(lock) { Folder(stagingFolder).remove() }
    }
  }
}
