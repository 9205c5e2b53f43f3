// What `Benchmarks` needs to measure publishing by itself.

@_spi(Measuring)
extension CurrentValuePublisher {
  /// A publisher with a source of its own.
  @inlinable
  public init(initialValue: Value) {
    self.init(CurrentValueSource(initialValue))
  }

  /// Stores `value` and tells the subscribers.
  @inlinable
  public func send(_ value: Value) {
    source?.send(value)
  }
}

@_spi(Measuring)
extension ResultPublisher {
  /// A result that is to come.
  @inlinable
  public static func pending() -> ResultPublisher { ResultPublisher() }

  /// Settles the result.
  @inlinable
  public func complete(with result: Result<Value, Failure>) {
    settle(result)
  }
}
