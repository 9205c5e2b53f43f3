public import Foundation

/// Stores data under keys, so that the next session can load the data.
///
/// A controller never makes two calls of the store at the same time. The store is never called on
/// the thread that applies a value. Only the activation and the deactivation of a session wait for
/// the store. The activation and the deactivation may call the store on the thread that activates
/// or deactivates the session, for example on the main thread.
public protocol ParameterStore: Sendable {
  /// Loads the data that was saved under `key`. Returns nil if there is no such data.
  func load(_ key: String) throws -> Data?

  /// Saves `data` under `key`. The new data replaces earlier data atomically.
  func save(_ data: Data, for key: String) throws
}

/// Stores the data of each key in a separate JSON file in a directory. Files are written
/// atomically.
///
///     let store = FileParameterStore(directory: applicationSupport.appending(path: "Hearing"))
///     let controller = ProcessingController(store: store)
public struct FileParameterStore: ParameterStore {
  /// The directory of the files. Saving creates the directory if it does not exist.
  public let directory: URL

  /// Creates a store in `directory`.
  public init(directory: URL) {
    self.directory = directory
  }

  /// Reads the file of `key`. Returns nil if there is no such file.
  public func load(_ key: String) throws -> Data? {
    do {
      return try Data(contentsOf: file(of: key))
    } catch CocoaError.fileReadNoSuchFile, CocoaError.fileNoSuchFile {
      return nil
    }
  }

  /// Writes the file of `key` atomically.
  public func save(_ data: Data, for key: String) throws {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    try data.write(to: file(of: key), options: .atomic)
  }

  /// Returns the URL of a key's file. Letters, digits, `-` and `_` remain unchanged. All other
  /// characters are percent-encoded. Therefore no key can refer to a file outside the directory.
  private func file(of key: String) -> URL {
    let allowed = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-_"))
    let name = key.addingPercentEncoding(withAllowedCharacters: allowed) ?? "unnamed"
    return directory.appendingPathComponent(name + ".json", isDirectory: false)
  }
}
