/// Work that `TransactionMachine` returns for an event. `Kernel` performs the work outside the
/// kernel's lock.
enum Effect: Sendable {
  /// At the beginning of a transaction, find the applicators that must be called.
  case compare(Transaction)
  /// Find the applicators that must be called for the recovery of a failed transaction.
  case recover(Transaction)
  /// Ask an applicator whether it can apply a value. The closure calls the `canApply` handler.
  case verify(Transaction, @Sendable () -> Bool)
  /// Call an applicator.
  case call(Transaction, ApplicatorCall)
  /// Commit the transaction, begin its recovery, or end the transaction with an error.
  case finish(Transaction)
  /// Publish the result of the transaction. After that, other transactions can change the same
  /// parameters.
  case complete(Transaction, ParameterError?)
  /// Publish the error of a transaction that never began, or that was running when the session
  /// ended.
  case settle(Transaction, ParameterError)
  /// Release the applicator records of a transaction that was running when the session ended.
  case discard(Transaction)
  /// Start the timer of a transaction. `deadline` is the end of a debounce interval, or the
  /// time-out of the current call. If `deadline` is nil, the transaction is waiting to switch
  /// applicators off. In this case, the timer limits the wait to one second.
  case arm(Transaction, ticket: UInt64, deadline: Duration?)
  /// Cancel a timer.
  case cancel(ObservationToken)
  /// Call a closure that notifies subscribers or cancels a task. The closure does not use the
  /// kernel.
  case notify(@Sendable () -> Void)
  /// Release a value or a closure that belongs to the app.
  case release(any Sendable)

  /// Whether the effect begins a transaction.
  var startsTransaction: Bool { if case .compare = self { true } else { false } }
}

extension [Effect] {
  /// Appends one effect `notify` for each closure in `notices`.
  mutating func notify(_ notices: [Notice]) {
    self += notices.map { .notify($0) }
  }
}
