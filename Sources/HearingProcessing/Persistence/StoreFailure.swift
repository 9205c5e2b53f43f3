/// What a store, or what it holds, failed at.
public enum StoreFailure: Error {
  /// The store could not be read; nothing is saved in this session, so that nothing is overwritten.
  case loadFailed(any Error)
  /// What the store held makes no sense; it was put aside under the key given, or left in place if
  /// that is nil, and then nothing is saved in this session.
  case unreadable(reason: String, setAside: String?)
  /// What the store held was written by a later version of this package; as with `unreadable`.
  case newer(version: Int, setAside: String?)
  /// Values could not be saved.
  case saveFailed(any Error)
}

extension StoreFailure: CustomStringConvertible {
  /// One line that says what happened and where the data is now.
  public var description: String {
    switch self {
    case .loadFailed(let error): "the stored values cannot be read: \(error)"
    case .unreadable(let reason, let key):
      "the stored values make no sense (\(reason)); \(Self.place(key))"
    case .newer(let version, let key):
      "the stored values are of version \(version), which is not known; \(Self.place(key))"
    case .saveFailed(let error): "the values cannot be saved: \(error)"
    }
  }

  private static func place(_ key: String?) -> String {
    key.map { "they were set aside as \($0)" } ?? "they were left in place"
  }
}
