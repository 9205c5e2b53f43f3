extension ParameterMachine {
  /// An applicator joins; nothing is sent to it until the next sequence.
  mutating func join(_ record: Record) {
    applicators.append(record)
  }

  /// What an applicator that left leaves to be done.
  struct Departure: Sendable {
    var reaction: Reaction
    /// Only to be released outside the lock.
    let handlers: Record.Handlers
  }

  /// An applicator leaves; nil if it is gone already.
  mutating func remove(_ record: Record) -> Departure? {
    guard applicators.remove(record) != nil else { return nil }
    var reaction = Reaction()
    if let awaited = sequence?.awaited, awaited.record === record {
      reaction = answered(ticket: awaited.ticket, .gone)
    }
    let departure = Departure(reaction: reaction, handlers: record.handlers)
    record.handlers = .init()
    return departure
  }

  /// Changes handlers: returns those that were in place, and whether the applicator is now to be
  /// brought up to date.
  mutating func configure(
    _ record: Record, _ change: (inout Record.Handlers) -> Void
  ) -> (displaced: Record.Handlers, catchesUp: Bool) {
    let displaced = record.handlers
    guard record.isRegistered else { return (displaced, false) }
    change(&record.handlers)
    let catchesUp = record.catchesUp && record.handlers.apply != nil
    if catchesUp { record.catchesUp = false }
    return (displaced, catchesUp)
  }
}
