extension [any CodingKey] {
  /// The coding path as text, for example "left.points[3].threshold".
  package var position: String {
    let steps = map { key in key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)" }
    return String(steps.joined().trimmingPrefix(".")).singleLine(limit: 200)
  }
}

extension KeyedDecodingContainer {
  /// Decodes a required value. Every failure is a `DecodingError` that contains the coding path.
  ///
  /// If a number does not fit the type, Foundation's JSON decoder throws an error without a path.
  /// This method replaces such an error. For example, the number 1e999 does not fit any type, and
  /// the number 1.5 does not fit an integer.
  package func value<Value: Decodable>(_ type: Value.Type, at key: Key) throws -> Value {
    do {
      return try decode(type, forKey: key)
    } catch let error as DecodingError {
      throw error
    } catch {
      // The description of the decoder's error usually contains the invalid number in quotation
      // marks.
      let number = "\(error)".split(separator: "\"").first { Double($0) != nil } ?? "here"
      throw failure("the number \(number.prefix(40)) is out of range for this value", at: key)
    }
  }

  /// Decodes an optional value, which may be missing or null. Throws the same errors as
  /// ``value(_:at:)``.
  package func optionalValue<Value: Decodable>(_ type: Value.Type, at key: Key) throws -> Value? {
    guard contains(key), try !decodeNil(forKey: key) else { return nil }
    return try value(type, at: key)
  }

  /// Returns the value that `make` creates from decoded values. A validation error of `make` is
  /// replaced with a `DecodingError` that contains the coding path of `key`. If `key` is nil, the
  /// error contains the coding path of the container.
  package func validated<Value>(at key: Key? = nil, _ make: () throws -> Value) throws -> Value {
    do {
      return try make()
    } catch let error as DecodingError {
      throw error
    } catch { throw failure(error, at: key) }
  }

  /// The `DecodingError` for the invalid value at `key`. If `key` is nil, the whole container is
  /// invalid. The `reason` is a text, or the error that the validation threw.
  func failure(_ reason: Any, at key: Key? = nil) -> DecodingError {
    .dataCorrupted(
      .init(
        codingPath: codingPath + [key].compactMap { $0 }, debugDescription: "\(reason)",
        underlyingError: reason as? any Error))
  }
}

/// A validation error that stores the path and the reason separately. The path is relative to the
/// validated value. A document parser adds the path from the root of the document to the validated
/// value.
package protocol PositionedReason: Error {
  /// The path of the invalid value, such as "gains[2][5]". The path is empty if the whole value is
  /// invalid.
  var position: String { get }

  /// A description of the error, without the path.
  var reason: String { get }
}
