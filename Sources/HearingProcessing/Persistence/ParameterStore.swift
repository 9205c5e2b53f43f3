public import Foundation

/// Keeps data by key from one session to the next.
///
/// A controller calls it on a queue of its own, one call at a time, never on the thread that
/// applies a value; only activation waits for it.
public protocol ParameterStore: Sendable {
  /// What was saved under `key`; nil if nothing was.
  func load(_ key: String) throws -> Data?

  /// Keeps `data` under `key` in place of what is there, whole or not at all.
  func save(_ data: Data, for key: String) throws
}

/// A store in a folder: one JSON file for each key, written atomically.
///
///     let store = FileParameterStore(directory: applicationSupport.appending(path: "Hearing"))
///     let controller = ProcessingController(store: store)
public struct FileParameterStore: ParameterStore {
  /// The folder; it is made when something is saved first.
  public let directory: URL

  /// A store in `directory`.
  public init(directory: URL) {
    self.directory = directory
  }

  /// What the key's file holds; nil if there is no such file.
  public func load(_ key: String) throws -> Data? {
    do {
      return try Data(contentsOf: file(of: key))
    } catch CocoaError.fileReadNoSuchFile, CocoaError.fileNoSuchFile {
      return nil
    }
  }

  /// Writes the key's file under another name first, then puts it in place.
  public func save(_ data: Data, for key: String) throws {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    try data.write(to: file(of: key), options: .atomic)
  }

  /// Anything but letters, digits, `-` and `_` is percent-encoded, so that no key leaves the folder.
  private func file(of key: String) -> URL {
    let allowed = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-_"))
    let name = key.addingPercentEncoding(withAllowedCharacters: allowed) ?? "unnamed"
    return directory.appendingPathComponent(name + ".json", isDirectory: false)
  }
}
