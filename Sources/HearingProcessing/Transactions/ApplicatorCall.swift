/// A call of an applicator, with all data that the calling thread needs outside the lock.
struct ApplicatorCall: Sendable {
  let value: Box
  let apply: @Sendable (Box, ResultHandler) -> Void
  /// The maximum time for the answer. Nil means no limit.
  let timeout: Duration?
  /// The applicator's name.
  let name: String?
  /// The number of the call in its transaction. An answer with the number of an earlier call is
  /// late and is ignored.
  let ticket: UInt64
}
