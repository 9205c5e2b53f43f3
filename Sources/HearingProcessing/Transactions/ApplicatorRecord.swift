// Sendable because every property is only accessed under the kernel's lock, except that a
// transaction which has claimed the lane reads `latest` and `isUnknown`, which only that
// transaction changes.
/// A parameter's state for one applicator, without the type of its values. The parameter holds the
/// record, never the applicator.
final class ApplicatorRecord: @unchecked Sendable {
  /// The name that the app gave the applicator.
  let name: String?
  /// The number in the parameter's list; nil if the applicator was removed.
  var number: UInt64?
  var handlers = Handlers()
  /// The last value that the applicator applied; nil if that is unknown.
  private(set) var latest: Box?
  /// Whether the applicator's value is unknown because its last call timed out or gave no answer.
  private(set) var isUnknown = false
  /// The transaction that has called the applicator and waits for its answer.
  var transaction: Box?

  init(latest: Box? = nil, name: String? = nil) {
    self.latest = latest
    self.name = name
  }

  /// The applicator's closures, and how long it may take.
  struct Handlers: Sendable {
    var verify: (@Sendable (Box) -> Bool)?
    var apply: (@Sendable (Box, ResultHandler) -> Void)?
    /// Nil: no time-out.
    var timeout: Duration? = .seconds(10)
  }

  /// Whether the applicator takes part in transactions.
  var isReady: Bool { number != nil && handlers.apply != nil }

  /// The applicator has applied `value`; nil: its value is no longer known.
  ///
  /// - Returns: The previous value, to be released outside the lock.
  func record(_ value: Box?) -> Box? {
    defer { (latest, isUnknown) = (value, value == nil) }
    return latest
  }
}
