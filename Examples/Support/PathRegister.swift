import Foundation
internal import HearingAudio

/// Checks that two arguments of a command line do not name the same file. Only input arguments that
/// permit this may name the same file.
///
///     var paths = PathRegister()
///     try paths.add(input, as: "IN.wav")
///     try paths.add(output, as: "OUT.wav")     // throws an error if both are the same file
public struct PathRegister: Sendable {
  private var names: [Identity: String] = [:]
  private var sharedInputs: Set<Identity> = []

  private enum Identity: Hashable {
    /// An existing file. It is identified by volume and file number, so that two hard links count
    /// as one file.
    case file(volume: UInt64, number: UInt64)
    /// A file that does not exist yet.
    case path(String)
  }

  /// An empty register.
  public init() {}

  /// Registers the file at `path` for the argument `name`. A device may be registered for several
  /// arguments.
  ///
  /// - Parameter isSharedInput: Whether another input argument may name the same file. It must be
  ///   true for each of these arguments.
  /// - Throws: ``UsageError/samePath(_:first:second:)``.
  public mutating func add(
    _ path: String, as name: String, isSharedInput: Bool = false
  ) throws(UsageError) {
    let file = URL(fileURLWithPath: FileByteSink.resolved(path))
    // On Linux, `resolvingSymlinksInPath` resolves no link in the path of a missing file.
    let folder = file.deletingLastPathComponent().resolvingSymlinksInPath()
    let resolved = folder.appendingPathComponent(file.lastPathComponent).path
    if resolved.hasPrefix("/dev/") { return }
    let identity = Self.identity(of: resolved)
    if isSharedInput && !sharedInputs.insert(identity).inserted { return }
    if let first = names.updateValue(name, forKey: identity) {
      throw .samePath(path, first: first, second: name)
    }
  }

  private static func identity(of path: String) -> Identity {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return .path(path) }
    return .file(volume: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(status.st_ino))
  }
}
