// Sendable because every property is only reached under the lock of the parameter that owns it.
/// What a parameter knows of one applicator. The parameter holds the record, never the applicator.
@usableFromInline
final class ApplicatorRecord<Value: Sendable>: Slotted, @unchecked Sendable {
  @usableFromInline var slot = -1
  @usableFromInline var handlers = Handlers()
  /// The value that the applicator is known to have applied.
  @usableFromInline var latest: Value?
  /// Whether the applicator is to be brought up to date as soon as it can apply.
  var catchesUp = false

  @usableFromInline
  init(latest: Value? = nil) {
    self.latest = latest
  }

  /// Whether the applicator is still one of the parameter's.
  @inlinable
  var isRegistered: Bool { slot >= 0 }

  /// The applicator's closures, and how long it may take.
  @usableFromInline
  struct Handlers: Sendable {
    @usableFromInline var verify: (@Sendable (Value) -> Bool)?
    @usableFromInline var apply:
      (@Sendable (Value, @escaping @Sendable (ApplicationResult) -> Void) -> Void)?
    /// Nil: it may take as long as it likes.
    @usableFromInline var timeout: Duration? = .seconds(10)

    @usableFromInline
    init() {}
  }
}
