// Sendable because every property is only reached under the lock of the parameter that owns it.
/// A parameter's state for one applicator. The parameter holds the record, never the applicator.
@usableFromInline final class ApplicatorRecord<Value: Sendable>: Slotted, @unchecked Sendable {
  /// The name that the app gave the applicator.
  @usableFromInline let name: String?
  @usableFromInline @safe @exclusivity(unchecked) var slot = -1
  @usableFromInline @safe @exclusivity(unchecked) var handlers = Handlers()
  /// The last value that the applicator applied; nil if that is unknown.
  @usableFromInline @safe @exclusivity(unchecked) private(set) var latest: Value?
  /// The number of the sequence whose value `latest` is; 0: it is not from a sequence.
  @usableFromInline @safe @exclusivity(unchecked) private(set) var source: UInt64 = 0
  /// Whether the applicator's value is unknown: its last call timed out or gave no answer.
  @usableFromInline @safe @exclusivity(unchecked) var isUnknown = false
  /// Whether the current sequence found the applicator out of date and has not called it yet.
  @usableFromInline @safe @exclusivity(unchecked) var isOutOfDate = false
  /// Whether to synchronize the applicator as soon as it has an `apply` handler.
  var catchesUp = false

  @usableFromInline
  init(latest: Value? = nil, name: String? = nil) {
    self.latest = latest
    self.name = name
  }

  /// Whether the parameter still holds this record.
  @usableFromInline
  var isRegistered: Bool { slot >= 0 }

  /// The applicator has applied `value`.
  ///
  /// - Parameter number: The number of the sequence; 0: none.
  /// - Returns: The previous value, to be released outside the lock.
  @usableFromInline
  func take(_ value: Value, from number: UInt64) -> Value? {
    let before = latest
    latest = value
    source = number
    isUnknown = false
    return before
  }

  /// The applicator's value is no longer known.
  ///
  /// - Returns: The previous value, to be released outside the lock.
  @usableFromInline
  func forget() -> Value? {
    let before = latest
    latest = nil
    source = 0
    isUnknown = true
    return before
  }

  /// The applicator's closures, and how long it may take.
  @usableFromInline
  struct Handlers: Sendable {
    @usableFromInline var verify: Verify?
    @usableFromInline var apply: Apply?
    /// Cancels the task that an async handler runs in.
    var cancel: (@Sendable () -> Void)?
    /// Nil: no time-out.
    @usableFromInline var timeout: Duration? = .seconds(10)

    @usableFromInline
    init() {}
  }

  /// A `canApply` closure. The struct avoids reabstraction: the compiler wraps a closure again each
  /// time it is passed on as an optional or in a tuple.
  @usableFromInline
  struct Verify: Sendable {
    @usableFromInline let call: @Sendable (Value) -> Bool

    @usableFromInline
    init(_ call: @escaping @Sendable (Value) -> Bool) {
      self.call = call
    }
  }

  /// An `apply` closure.
  @usableFromInline
  struct Apply: Sendable {
    @usableFromInline let call:
      @Sendable (Value, @escaping @Sendable (ApplicationResult) -> Void) -> Void

    @usableFromInline
    init(
      _ call: @escaping @Sendable (Value, @escaping @Sendable (ApplicationResult) -> Void) -> Void
    ) {
      self.call = call
    }
  }
}
