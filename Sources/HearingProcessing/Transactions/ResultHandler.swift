/// Passes on the first answer of an applicator to one call. If it is released without an answer, it
/// answers `abandoned`.
final class ResultHandler: Sendable {
  private let kernel: Kernel
  private let transaction: Transaction
  private let ticket: UInt64
  private let report: Lock<(@Sendable (Transaction.Answer) -> Void)?>

  /// - Parameter report: Writes the first answer to the event log, even if it is late.
  init(
    kernel: Kernel, transaction: Transaction, ticket: UInt64,
    report: (@Sendable (Transaction.Answer) -> Void)?
  ) {
    self.kernel = kernel
    self.transaction = transaction
    self.ticket = ticket
    self.report = Lock(report)
  }

  deinit {
    kernel.answered(transaction, ticket, .abandoned)
  }

  /// Only the first answer has an effect.
  func answer(_ result: ApplicationResult) {
    let answer: Transaction.Answer =
      switch result {
      case .success: .success
      case .failure(let error): .failure(error)
      }
    report.withLock { $0.take() }?(answer)
    kernel.answered(transaction, ticket, answer)
  }

  /// Calls `cancel` when the call ends without an answer: by its time-out, by the end of the session
  /// or when the applicator leaves; at once if it has ended so already.
  func onCancel(_ cancel: @escaping @Sendable () -> Void) {
    kernel.onCancel(transaction, ticket, cancel)
  }
}
