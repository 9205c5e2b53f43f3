/// Work that results from an event of the machine and is performed outside the lock.
enum Effect: Sendable {
  /// Find the applicators that are out of date: the transaction has begun.
  case compare(Transaction)
  /// The same for the recovery of a transaction that has failed.
  case recover(Transaction)
  /// Ask an applicator whether it can apply the value.
  case verify(Transaction, ApplicatorCheck)
  /// Call an applicator.
  case call(Transaction, ApplicatorCall)
  /// Commit the transaction, or end it with its error, and publish that.
  case finish(Transaction)
  /// Publish the error of a transaction that never began, or that ended with the session.
  case settle(Transaction, ParameterError)
  /// Release the applicator records of a transaction that ended with the session.
  case discard(Transaction)
  /// Set the time-out of a call.
  case armTimeout(Transaction, ticket: UInt64)
  /// Set the timer of a debounced value.
  case armDebounce(lane: Int, number: UInt64)
  /// Cancel a timer.
  case cancel(ObservationToken)
  /// Call a closure that does not use the kernel: it notifies subscribers, or cancels a task.
  case notify(@Sendable () -> Void)
  /// Release a value of the app.
  case release(any Sendable)

  /// Whether the effect begins a transaction.
  var startsTransaction: Bool { if case .compare = self { true } else { false } }

  /// Calls the closure of `notify`; the kernel performs the other effects.
  func run() {
    if case .notify(let work) = self { work() }
  }
}
