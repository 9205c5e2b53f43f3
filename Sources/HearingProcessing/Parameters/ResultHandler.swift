public import Synchronization

/// The one answer that an applicator owes for one value. Dropped unanswered, it says so itself.
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
    case .success: sequencer.answered(ticket: ticket, .success)
    case .failure(let error): sequencer.answered(ticket: ticket, .failure(error))
    }
  }
}
