/// Where a remote parameter's values come from.
struct RemoteSource<Value: Sendable>: Sendable {
  /// Reads what the source goes by at this moment; called on the thread that reloads.
  let begin: @Sendable () -> Load

  /// One load, not yet begun.
  struct Load: Sendable {
    /// Counts the changes of the source: two loads of equal generation load the same.
    let generation: UInt64
    let run: @Sendable () async throws -> Value
  }
}
