// Sendable because every property is only reached under the lock of the parameter that owns it.
/// What a parameter knows of one applicator. The parameter holds the record, never the applicator.
@usableFromInline final class ApplicatorRecord<Value: Sendable>: Slotted, @unchecked Sendable {
  /// The name that the app gave the applicator.
  @usableFromInline let name: String?
  @usableFromInline @exclusivity(unchecked) var slot = -1
  @usableFromInline @exclusivity(unchecked) var handlers = Handlers()
  /// The value that the applicator is known to have applied.
  @usableFromInline @exclusivity(unchecked) var latest: Value?
  /// Whether nobody knows which value the applicator has: it timed out or gave no answer.
  @usableFromInline @exclusivity(unchecked) var isUnknown = false
  /// Whether a sequence under way has found the applicator out of date and not called it yet.
  @usableFromInline @exclusivity(unchecked) var isOutOfDate = false
  /// Whether the applicator is to be brought up to date as soon as it can apply.
  var catchesUp = false

  @usableFromInline
  init(latest: Value? = nil, name: String? = nil) {
    self.latest = latest
    self.name = name
  }

  /// Whether the applicator is still one of the parameter's.
  @inlinable
  var isRegistered: Bool { slot >= 0 }

  /// The applicator's closures, and how long it may take.
  @usableFromInline
  struct Handlers: Sendable {
    @usableFromInline var verify: Verify?
    @usableFromInline var apply: Apply?
    /// Cancels the task that an async handler runs in.
    @usableFromInline var cancel: (@Sendable () -> Void)?
    /// Nil: it may take as long as it likes.
    @usableFromInline var timeout: Duration? = .seconds(10)

    @usableFromInline
    init() {}
  }

  /// A `canApply` closure. In a struct of its own it keeps its form; as an optional, or in a tuple,
  /// the compiler would wrap it anew each time it is handed on.
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
