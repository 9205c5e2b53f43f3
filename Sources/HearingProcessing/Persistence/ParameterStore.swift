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
