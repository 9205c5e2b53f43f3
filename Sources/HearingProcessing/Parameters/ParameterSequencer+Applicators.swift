extension ParameterSequencer: ApplicatorOwner {
  func makeApplicator() -> ProcessingApplicator<Value> {
    let record = ApplicatorRecord<Value>()
    machine.withLock { $0.join(record) }
    return ProcessingApplicator(record: record, owner: self)
  }

  func makeApplicator(
    synchronizing value: Value
  ) -> (ProcessingApplicator<Value>, Publisher) {
    guard takes(value) else { return (makeApplicator(), Publisher(.failure(.invalidValue))) }
    let record = ApplicatorRecord<Value>()
    let applicator = ProcessingApplicator(record: record, owner: self)
    let request = Request(.value(value))
    submit(request) { $0.join(record, at: value, request) }
    return (applicator, request.result)
  }

  func configure(
    _ record: ApplicatorRecord<Value>,
    _ change: @Sendable (inout ApplicatorRecord<Value>.Handlers) -> Void
  ) {
    let (_, catchesUp) = machine.withLock { $0.configure(record, change) }
    if catchesUp { _ = synchronize() }
  }

  func latestAppliedValue(of record: ApplicatorRecord<Value>) -> Value? {
    machine.withLock { _ in record.latest }
  }

  func remove(_ record: ApplicatorRecord<Value>) {
    guard let departure = machine.withLock({ $0.remove(record) }) else { return }
    perform(departure.reaction)
  }
}
