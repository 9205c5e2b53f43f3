public import Synchronization

/// The one answer that an applicator owes for one value. Dropped unanswered, it answers
/// `abandoned`.
@usableFromInline
final class ResultHandler<Value: Equatable & Sendable>: Sendable {
  @usableFromInline let sequencer: ParameterSequencer<Value>
  @usableFromInline let ticket: UInt64
  @usableFromInline let isAnswered = Atomic(false)

  @inlinable
  init(sequencer: ParameterSequencer<Value>, ticket: UInt64) {
    self.sequencer = sequencer
    self.ticket = ticket
  }

  @inlinable
  deinit {
    if !isAnswered.load(ordering: .acquiring) { sequencer.answered(ticket: ticket, .abandoned) }
  }

  /// The first call counts.
  @inlinable
  func answer(_ result: ApplicationResult) {
    guard !isAnswered.exchange(true, ordering: .acquiringAndReleasing) else { return }
    switch result {
    case .success:
      if !sequencer.call.succeed(ticket) { sequencer.answered(ticket: ticket, .success) }
    case .failure(let error): sequencer.answered(ticket: ticket, .failure(error))
    }
  }
}

/// Whether the `apply` handler that a parameter has called is still running, and whether it has
/// reported success: that takes no lock, and the driving thread finds it when the handler returns.
@usableFromInline
final class CallProgress: Sendable {
  /// Four times the ticket of the call, plus 1 as long as the handler runs, 2 after a success
  /// reported meanwhile.
  @usableFromInline let word = Atomic<UInt64>(0)

  @inlinable
  init() {}

  @inlinable
  func begin(_ ticket: UInt64) {
    word.store(4 * ticket + 1, ordering: .releasing)
  }

  /// Reports success; false if the handler has returned, or this is not the call under way.
  @inlinable
  func succeed(_ ticket: UInt64) -> Bool {
    word.compareExchange(
      expected: 4 * ticket + 1, desired: 4 * ticket + 2, ordering: .acquiringAndReleasing
    ).exchanged
  }

  /// The handler has returned.
  @inlinable
  func end(_ ticket: UInt64) {
    _ = word.compareExchange(
      expected: 4 * ticket + 1, desired: 4 * ticket, ordering: .acquiringAndReleasing)
  }

  /// Whether success was reported before the handler returned.
  @inlinable
  func hasSucceeded(_ ticket: UInt64) -> Bool {
    word.load(ordering: .acquiring) == 4 * ticket + 2
  }
}
