// This class is Sendable because the kernel's lock protects its variables. One access needs no
// lock. While a transaction changes the applicator's parameter, no other transaction changes
// `latest` or `isUnknown`. Therefore this transaction reads `latest` and `isUnknown` without the
// lock.
/// The data that a parameter stores about one of its applicators. `ApplicatorRecord` is not generic
/// over the type of the applied values. The parameter retains the record, but not the applicator.
final class ApplicatorRecord: @unchecked Sendable {
  /// The name that the app gave the applicator.
  let name: String?
  /// The applicator's number in the parameter's list of applicators. Nil after the applicator was
  /// removed.
  var number: UInt64?
  var handlers = Handlers()
  /// The last value that the applicator applied, or nil if unknown.
  private(set) var latest: Box?
  /// True if the applicator's value is unknown because the last call timed out or got no answer.
  private(set) var isUnknown = false
  /// The transaction that has called the applicator and waits for the answer.
  var transaction: Box?

  init(latest: Box? = nil, name: String? = nil) {
    self.latest = latest
    self.name = name
  }

  /// The applicator's closures and its time-out.
  struct Handlers: Sendable {
    var verify: (@Sendable (Box) -> Bool)?
    var apply: (@Sendable (Box, ResultHandler) -> Void)?
    /// The maximum time for one call. Nil means that there is no time-out.
    var timeout: Duration? = .seconds(10)
  }

  /// Whether the applicator is registered and has an `apply` handler.
  var isReady: Bool { number != nil && handlers.apply != nil }

  /// Records that the applicator has applied `value`. If `value` is nil, records that the
  /// applicator's value is no longer known.
  ///
  /// - Returns: The previous value. The caller releases the previous value outside the lock.
  func record(_ value: Box?) -> Box? {
    defer { (latest, isUnknown) = (value, value == nil) }
    return latest
  }
}
