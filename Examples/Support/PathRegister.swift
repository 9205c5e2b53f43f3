import Foundation

/// The files that a command is asked to use, each for one thing only.
///
///     var paths = PathRegister()
///     try paths.add(input, as: "IN.wav")
///     try paths.add(output, as: "OUT.wav")     // an error if it is the same file
public struct PathRegister: Sendable {
  private var names: [String: String] = [:]

  /// Nothing yet.
  public init() {}

  /// Notes that the file at `path` is what the user calls `name`. Devices may serve twice.
  ///
  /// - Throws: ``UsageError/samePath(_:first:second:)``.
  public mutating func add(_ path: String, as name: String) throws(UsageError) {
    let resolved = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    if resolved.hasPrefix("/dev/") { return }
    if let first = names.updateValue(name, forKey: resolved) {
      throw .samePath(path, first: first, second: name)
    }
  }
}
