/// A check whether an applicator can apply a value.
struct ApplicatorCheck: Sendable {
  let value: Box
  let verify: @Sendable (Box) -> Bool
}

/// A call of an applicator: all that the driving thread needs for it outside the lock.
struct ApplicatorCall: Sendable {
  let value: Box
  let apply: @Sendable (Box, ResultHandler) -> Void
  /// How long the applicator may take; nil: no limit.
  let timeout: Duration?
  /// The applicator's name.
  let name: String?
  /// The number of the call in its transaction; answers to earlier calls are late.
  let ticket: UInt64
}
