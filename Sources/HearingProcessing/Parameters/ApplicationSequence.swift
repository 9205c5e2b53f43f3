/// One value on its way through the applicators: all are asked whether they can, then each applies.
@usableFromInline
struct ApplicationSequence<Value: Equatable & Sendable>: Sendable {
  @usableFromInline typealias Record = ApplicatorRecord<Value>

  @usableFromInline let request: ParameterRequest<Value>
  /// Nil until the applicators have been compared with it.
  @usableFromInline var value: Value?
  /// Whether `value` differs from the parameter's.
  @usableFromInline var changesValue = false
  /// The out-of-date applicators, in order of registration.
  @usableFromInline var turns: ContiguousArray<Record> = []
  @usableFromInline var next = 0
  @usableFromInline var awaited: Awaited?

  @inlinable
  init(_ request: ParameterRequest<Value>) {
    self.request = request
  }

  /// The applicator whose answer is waited for.
  @usableFromInline
  struct Awaited: Sendable {
    @usableFromInline let ticket: UInt64
    @usableFromInline let record: Record
    @usableFromInline var answer: Answer?
    @usableFromInline var timer: ObservationToken?

    @inlinable
    init(ticket: UInt64, record: Record) {
      self.ticket = ticket
      self.record = record
    }
  }

  /// How an applicator's turn ended.
  @usableFromInline
  enum Answer: Sendable {
    case success
    case failure(any Error)
    case timedOut
    case abandoned
    /// The applicator is gone; its answer is not needed.
    case gone

    /// The error that ends the sequence, if one does.
    @inlinable
    var error: ParameterError? {
      switch self {
      case .success, .gone: nil
      case .failure(let error): .applyFailed(error)
      case .timedOut: .applyTimeoutExceeded
      case .abandoned: .abandoned
      }
    }
  }

  /// The next question for an out-of-date applicator that is still there.
  @inlinable
  mutating func nextVerification() -> Record.Verify? {
    while next < turns.count {
      let record = turns[next]
      next += 1
      if record.isRegistered, let verify = record.handlers.verify { return verify }
    }
    return nil
  }

  /// The next out-of-date applicator that is still there and can apply.
  @inlinable
  mutating func nextApplicator() -> Record? {
    while next < turns.count {
      let record = turns[next]
      next += 1
      if record.isRegistered, record.handlers.apply != nil { return record }
    }
    return nil
  }
}
