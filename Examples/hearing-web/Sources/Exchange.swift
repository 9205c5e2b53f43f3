/// The memory through which JavaScript and this module exchange numbers and text.
///
/// Every exported function reads its arguments from the start of this memory, and writes its
/// results to the start.
enum Exchange {
  /// The maximum number of values. It is sufficient for an audiogram with the maximum number of
  /// points.
  static let capacity = 30_720

  /// The numbers. The declaration is safe because WebAssembly code runs on one thread per instance,
  /// and no other code uses this memory.
  nonisolated(unsafe) static let values: UnsafeMutablePointer<Double> = {
    let values = UnsafeMutablePointer<Double>.allocate(capacity: capacity)
    values.initialize(repeating: 0, count: capacity)
    return values
  }()

  /// The first `count` numbers.
  static func read(_ count: Int32) throws(WebFailure) -> UnsafeBufferPointer<Double> {
    guard count >= 0, count <= capacity else { throw .countOutOfRange }
    return UnsafeBufferPointer(start: values, count: Int(count))
  }

  /// Writes numbers and returns their count.
  static func write(_ numbers: [Double]) throws(WebFailure) -> Int32 {
    guard numbers.count <= capacity else { throw .countOutOfRange }
    for (index, number) in numbers.enumerated() { values[index] = number }
    return Int32(numbers.count)
  }

  /// Writes text as UTF-8 and returns the number of bytes.
  static func write(_ text: String) throws(WebFailure) -> Int32 {
    let bytes = UnsafeMutableRawPointer(values)
    var count = 0
    for byte in text.utf8 {
      guard count < capacity else { throw .countOutOfRange }
      bytes.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
      count += 1
    }
    return Int32(count)
  }
}

/// The address of the exchange memory; it never moves.
@_expose(wasm, "hearing_exchange") @c(hearing_exchange)
func hearingExchange() -> UnsafeMutablePointer<Double> { Exchange.values }

/// The maximum number of values in the exchange memory.
@_expose(wasm, "hearing_exchange_capacity") @c(hearing_exchange_capacity)
func hearingExchangeCapacity() -> Int32 { Int32(Exchange.capacity) }
