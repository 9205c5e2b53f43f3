/// An object of any type, usually a `ValueBox` that contains a value. Transactions and applicator
/// records store values in boxes, so that these types need not be generic. Generic code that the
/// compiler has not specialised is slow, because the code looks up the type of the value at each
/// use.
typealias Box = any AnyObject & Sendable

/// A `Box` that contains a value of type `Value`.
final class ValueBox<Value: Sendable>: Sendable {
  let value: Value

  init(_ value: Value) {
    self.value = value
  }

  /// Returns the value in `box`. The value must have the type `Value`.
  static func open(_ box: Box) -> Value {
    guard let box = box as? ValueBox else { preconditionFailure("a box of another lane") }
    return box.value
  }
}
