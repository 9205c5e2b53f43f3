internal import Foundation

// Sendable because `reason` can only be made from a value that is.
/// The reason of one `withInterruption` as it stands in `interruptions`: distinct from any equal
/// one, so that only the scope itself resolves it.
public struct ScopedInterruption: Hashable, CustomStringConvertible, @unchecked Sendable {
  /// What the caller gave as the reason.
  public let reason: AnyHashable
  private let scope = UUID()

  init(_ reason: some Hashable & Sendable) {
    self.reason = AnyHashable(reason)
  }

  /// The reason in words.
  public var description: String { "\(reason.base)" }
}
