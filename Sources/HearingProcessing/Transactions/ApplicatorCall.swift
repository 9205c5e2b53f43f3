/// A call of an applicator, with all data that the calling thread needs outside the lock.
struct ApplicatorCall: Sendable {
  let value: Box
  let apply: @Sendable (Box, ResultHandler) -> Void
  /// The maximum time from the call to the answer. Nil means that there is no limit.
  let timeout: Duration?
  /// The applicator's name.
  let name: String?
  /// The number of the call within its transaction. An answer to a call with an earlier number is
  /// late, and is ignored.
  let ticket: UInt64
}
