internal import Foundation

/// What stands at a path.
enum FileKind: Equatable {
  case folder
  case regularFile(byteCount: Int64)
  /// A link, a pipe, a device.
  case other
  /// Nothing, or nothing that can be seen.
  case nothing

  /// Looks at `url`; a symbolic link is `other` unless it is followed.
  init(_ url: URL, followingLinks: Bool = false) {
    var information = stat()
    let status =
      followingLinks ? stat(url.path, &information) : lstat(url.path, &information)
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

  /// The length of a regular file; nil for anything else.
  var regularFileByteCount: Int64? {
    if case .regularFile(let byteCount) = self { byteCount } else { nil }
  }
}
