/// A value whose type is not known at compile time, for transactions and applicator records.
/// Generic code that is not specialised would look up the type at each use. The look-up is slow.
typealias Box = any AnyObject & Sendable

/// A value in a box.
final class ValueBox<Value: Sendable>: Sendable {
  let value: Value

  init(_ value: Value) {
    self.value = value
  }

  /// Returns the value of a box, which must have this type.
  static func open(_ box: Box) -> Value {
    guard let box = box as? ValueBox else { preconditionFailure("a box of another lane") }
    return box.value
  }
}
