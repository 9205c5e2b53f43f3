/// The answer of an applicator to one call, or the event that ended the call without an answer.
enum CallAnswer: Sendable {
  case success
  case failure(any Error)
  /// The applicator cannot apply the value.
  case refused
  case timedOut
  case abandoned
  /// The applicator was removed.
  case removed
  /// An interruption ended the call.
  case interrupted

  /// Whether the call failed. The removal of the applicator is not a failure.
  var isFailure: Bool {
    if case .success = self { false } else if case .removed = self { false } else { true }
  }

  /// The error that the applicator reported, or nil if the applicator reported no error.
  var error: (any Error)? { if case .failure(let error) = self { error } else { nil } }
}

/// Receives the answers to calls of applicators. `Kernel` implements this protocol.
protocol CallOwner: AnyObject, Sendable {
  /// Handles an answer to a call. `ticket` is the number of the call in the transaction. Only the
  /// first answer to a call counts.
  func answered(_ transaction: Box, _ ticket: UInt64, _ answer: CallAnswer)

  /// Calls `cancel` when the call ends without an answer. If the call has already ended, calls
  /// `cancel` immediately.
  func onCancel(_ transaction: Box, _ ticket: UInt64, _ cancel: @escaping @Sendable () -> Void)
}

/// Receives the answers of an applicator to one call, and passes the answers to the kernel. The
/// kernel ignores all answers after the first answer. If the result handler is released without an
/// answer, the kernel receives the answer `abandoned`.
final class ResultHandler: Sendable {
  private let owner: any CallOwner
  private let transaction: Box
  private let ticket: UInt64
  private let report: Lock<(@Sendable (CallAnswer) -> Void)?>

  /// - Parameter report: Passes the first answer to the tracer, even if the answer arrives after
  ///   the time-out.
  init(
    owner: any CallOwner, transaction: Box, ticket: UInt64,
    report: (@Sendable (CallAnswer) -> Void)?
  ) {
    self.owner = owner
    self.transaction = transaction
    self.ticket = ticket
    self.report = Lock(report)
  }

  deinit {
    owner.answered(transaction, ticket, .abandoned)
  }

  /// Reports an answer. Only the first answer has an effect.
  func answer(_ result: ApplicationResult) {
    let answer: CallAnswer =
      switch result {
      case .success: .success
      case .failure(let error): .failure(error)
      }
    report.withLock { $0.take() }?(answer)
    owner.answered(transaction, ticket, answer)
  }

  /// Calls `cancel` when the call ends without an answer, for example because of a time-out, the
  /// end of the session or the removal of the applicator. If the call has already ended, calls
  /// `cancel` immediately.
  func onCancel(_ cancel: @escaping @Sendable () -> Void) {
    owner.onCancel(transaction, ticket, cancel)
  }
}
