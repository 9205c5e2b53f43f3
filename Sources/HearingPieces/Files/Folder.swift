internal import Foundation
internal import HearingAudio

/// A folder on disk.
struct Folder {
  private let url: URL

  init(_ url: URL) {
    self.url = url
  }

  /// Creates the folder and all missing parent folders.
  func create() throws(FileAccessError) {
    if FileKind(url, followingLinks: true) == .folder { return }
    let parent = url.deletingLastPathComponent()
    if parent.path != url.path { try Folder(parent).create() }
    do {
      try createNew()
    } catch .system(_, _, EEXIST, _) where FileKind(url, followingLinks: true) == .folder {
      // Another process created the folder after the check above. This error is ignored.
    }
  }

  /// Creates the folder. The folder must not exist yet.
  func createNew() throws(FileAccessError) {
    // Unsafe: all paths and pointers that this type passes to C functions are valid during the
    // call.
    guard unsafe mkdir(url.path, 0o777) == 0 else { throw error("create", errno) }
  }

  /// The names of all files and folders in this folder, in no particular order.
  func names() throws(FileAccessError) -> [String] {
    guard let stream = unsafe opendir(url.path) else { throw error("open", errno) }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
        unsafe $0.withMemoryRebound(to: CChar.self, capacity: 1) { unsafe String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// Flushes the folder's directory entries to the disk.
  func synchronize() throws(FileAccessError) {
    let descriptor = unsafe open(url.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw error("open", errno) }
    defer { close(descriptor) }
    // On some file systems, `fsync` of a folder fails with EINVAL. This error is ignored.
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw error("synchronize", errno) }
  }

  /// Removes the folder and its contents. Errors are ignored, so a part of the contents may remain.
  func remove() {
    try? FileManager.default.removeItem(at: url)
  }

  private func error(_ operation: String, _ code: Int32) -> FileAccessError {
    FileAccessError(path: url.path, operation: operation, code: code)
  }
}

/// The kind of file at a path.
enum FileKind: Equatable {
  case folder
  case regularFile(byteCount: Int64)
  /// A symbolic link, a pipe, a device or another special file.
  case other
  /// There is no file, or the file cannot be accessed.
  case nothing

  /// Determines the kind of the file at `url`. If `followingLinks` is false, the kind of a symbolic
  /// link is `other`.
  init(_ url: URL, followingLinks: Bool = false) {
    var information = stat()
    let status =
      unsafe followingLinks ? stat(url.path, &information) : lstat(url.path, &information)
    guard status == 0 else {
      self = .nothing
      return
    }
    switch information.st_mode & S_IFMT {
    case S_IFDIR: self = .folder
    case S_IFREG: self = .regularFile(byteCount: Int64(information.st_size))
    default: self = .other
    }
  }

  /// The length in bytes of a regular file. Nil for all other kinds of file.
  var regularFileByteCount: Int64? {
    if case .regularFile(let byteCount) = self { byteCount } else { nil }
  }
}
