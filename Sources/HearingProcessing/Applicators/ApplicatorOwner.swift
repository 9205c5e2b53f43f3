/// What an applicator asks of the parameter that it belongs to.
protocol ApplicatorOwner<Value>: AnyObject, Sendable {
  associatedtype Value: Sendable

  /// Changes handlers; what they replace is released outside the owner's lock.
  func configure(
    _ record: ApplicatorRecord<Value>,
    _ change: @Sendable (inout ApplicatorRecord<Value>.Handlers) -> Void)

  /// Reads `record.latest`.
  func latestAppliedValue(of record: ApplicatorRecord<Value>) -> Value?

  /// The applicator leaves for good: a sequence that waits for it goes on without it.
  func remove(_ record: ApplicatorRecord<Value>)
}
