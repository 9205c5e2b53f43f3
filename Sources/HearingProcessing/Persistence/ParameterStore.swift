public import Foundation

/// Stores data by key from one session to the next.
///
/// A controller calls it on its own queue, one call at a time, never on the thread that applies a
/// value; only activation and deactivation wait for it.
public protocol ParameterStore: Sendable {
  /// Loads the data that was saved under `key`; nil if there is none.
  func load(_ key: String) throws -> Data?

  /// Saves `data` under `key`, replacing earlier data atomically.
  func save(_ data: Data, for key: String) throws
}

/// A store in a directory: one JSON file for each key, written atomically.
///
///     let store = FileParameterStore(directory: applicationSupport.appending(path: "Hearing"))
///     let controller = ProcessingController(store: store)
public struct FileParameterStore: ParameterStore {
  /// The directory; the first save creates it.
  public let directory: URL

  /// A store in `directory`.
  public init(directory: URL) {
    self.directory = directory
  }

  /// Reads the key's file; nil if there is no such file.
  public func load(_ key: String) throws -> Data? {
    do {
      return try Data(contentsOf: file(of: key))
    } catch CocoaError.fileReadNoSuchFile, CocoaError.fileNoSuchFile {
      return nil
    }
  }

  /// Writes the key's file atomically: first under another name, then renamed.
  public func save(_ data: Data, for key: String) throws {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    try data.write(to: file(of: key), options: .atomic)
  }

  /// Anything but letters, digits, `-` and `_` is percent-encoded; no key leads to a file outside
  /// the folder.
  private func file(of key: String) -> URL {
    let allowed = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-_"))
    let name = key.addingPercentEncoding(withAllowedCharacters: allowed) ?? "unnamed"
    return directory.appendingPathComponent(name + ".json", isDirectory: false)
  }
}
