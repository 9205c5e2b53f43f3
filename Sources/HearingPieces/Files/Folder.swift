internal import Foundation
internal import HearingAudio

/// A folder on disk, with the operating system's reasons where something fails.
struct Folder {
  private let url: URL

  init(_ url: URL) {
    self.url = url
  }

  /// Makes the folder, and those above it, where they do not exist.
  func create() throws(FileAccessError) {
    if FileKind(url, followingLinks: true) == .folder { return }
    let parent = url.deletingLastPathComponent()
    if parent.path != url.path { try Folder(parent).create() }
    do {
      try createNew()
    } catch .system(_, _, EEXIST, _) where FileKind(url, followingLinks: true) == .folder {
      // Somebody else was faster.
    }
  }

  /// Makes the folder, which must not exist yet.
  func createNew() throws(FileAccessError) {
    guard mkdir(url.path, 0o777) == 0 else { throw error("create", errno) }
  }

  /// The names of all that is in the folder, in no order.
  func names() throws(FileAccessError) -> [String] {
    guard let stream = opendir(url.path) else { throw error("open", errno) }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// Brings the names in the folder to the disk.
  func synchronize() throws(FileAccessError) {
    let descriptor = open(url.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw error("open", errno) }
    defer { close(descriptor) }
    // Some file systems cannot synchronize a folder and say EINVAL.
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw error("synchronize", errno) }
  }

  /// Removes the folder with everything in it, as far as that can be done.
  func remove() {
    try? FileManager.default.removeItem(at: url)
  }

  private func error(_ operation: String, _ code: Int32) -> FileAccessError {
    FileAccessError(path: url.path, operation: operation, code: code)
  }
}
