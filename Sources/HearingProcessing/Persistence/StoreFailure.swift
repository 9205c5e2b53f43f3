/// The reason why stored values could not be loaded or saved.
public enum StoreFailure: Error {
  /// The stored values could not be loaded. After a failed load, the session saves nothing, so that
  /// the stored data is not overwritten.
  case loadFailed(any Error)
  /// The stored data is invalid. A copy of the data is stored under the key `setAside`. If
  /// `setAside` is nil, the data could not be copied, and the session saves nothing.
  case unreadable(reason: String, setAside: String?)
  /// The stored data was written by a later version of this package. A copy of the data is stored
  /// under the key `setAside`. If `setAside` is nil, the data could not be copied, and the session
  /// saves nothing.
  case newer(version: Int, setAside: String?)
  /// Values could not be saved.
  case saveFailed(any Error)
}

extension StoreFailure: CustomStringConvertible {
  /// One line that describes the failure. If the stored data is invalid or of a later version, the
  /// description also contains the key of the copy, if there is a copy.
  public var description: String {
    switch self {
    case .loadFailed(let error): "the stored values cannot be read: \(error)"
    case .unreadable(let reason, let key):
      "the stored values are invalid (\(reason)); \(Self.location(key))"
    case .newer(let version, let key):
      "the stored values are of version \(version), which is not known; \(Self.location(key))"
    case .saveFailed(let error): "the values cannot be saved: \(error)"
    }
  }

  private static func location(_ key: String?) -> String {
    key.map { "they were set aside as \($0)" } ?? "they were left in place"
  }
}
