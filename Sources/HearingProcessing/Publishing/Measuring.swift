// The benchmarks of this package use the functions in this file. With these functions, a benchmark
// measures the speed of a publisher without a parameter.

@_spi(Measuring)
extension CurrentValuePublisher {
  /// Creates a publisher with its own source.
  public init(initialValue: Value) {
    self.init(CurrentValueSource(initialValue))
  }

  /// Stores `value` and notifies the subscribers.
  public func send(_ value: Value) {
    source?.send(value)
  }
}

@_spi(Measuring)
extension ResultPublisher {
  /// Creates a publisher that has no result yet.
  public static func pending() -> ResultPublisher { ResultPublisher() }

  /// Sets the result, and delivers the result to the subscribers.
  public func complete(with result: Result<Value, Failure>) {
    settle(result)
  }
}
