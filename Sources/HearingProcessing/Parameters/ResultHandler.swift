public import Synchronization

/// Passes on the first answer of an applicator to one value. If it is released without an answer,
/// it answers `abandoned`.
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

  /// Only the first call has an effect.
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

/// Whether the current `apply` handler of a parameter is still running, and whether it has reported
/// success. Reporting takes no lock; the driving thread reads it when the handler returns.
@usableFromInline
final class CallProgress: Sendable {
  /// Four times the ticket of the call, plus 1 while the handler runs, or plus 2 after a success
  /// reported while it ran.
  @usableFromInline let word = Atomic<UInt64>(0)

  @inlinable
  init() {}

  @inlinable
  func begin(_ ticket: UInt64) {
    word.store(4 * ticket + 1, ordering: .releasing)
  }

  /// Reports success; false if the handler has returned, or this is not the current call.
  @inlinable
  func succeed(_ ticket: UInt64) -> Bool {
    word.compareExchange(
      expected: 4 * ticket + 1, desired: 4 * ticket + 2, ordering: .acquiringAndReleasing
    ).exchanged
  }

  /// The handler of the current call has returned.
  ///
  /// - Returns: Whether success was reported before that.
  @inlinable
  func end(_ ticket: UInt64) -> Bool {
    if hasSucceeded(ticket) { return true }
    return !word.compareExchange(
      expected: 4 * ticket + 1, desired: 4 * ticket, ordering: .acquiringAndReleasing
    ).exchanged
  }

  /// Whether success was reported before the handler returned.
  @inlinable
  func hasSucceeded(_ ticket: UInt64) -> Bool {
    word.load(ordering: .acquiring) == 4 * ticket + 2
  }
}
