/// A property that can be watched: `value` reads it, `$value` is its publisher.
///
/// It is set by the type that declares it, never through the property.
@propertyWrapper
public struct CurrentValue<Value: Sendable>: Sendable {
  @usableFromInline let source: CurrentValueSource<Value>

  @inlinable
  init(_ source: CurrentValueSource<Value>) {
    self.source = source
  }

  /// The value as it stands now; reading it is noted by `withObservationTracking`.
  @inlinable
  public var wrappedValue: Value { source.observedValue }

  /// The publisher of the value.
  @inlinable
  public var projectedValue: CurrentValuePublisher<Value> { CurrentValuePublisher(source) }
}
