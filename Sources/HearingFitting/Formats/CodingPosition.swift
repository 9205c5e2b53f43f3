extension [any CodingKey] {
  /// The path as text: "left.points[3].threshold".
  package var position: String {
    var position = ""
    for key in self {
      if let index = key.intValue {
        position += "[\(index)]"
      } else {
        position += (position.isEmpty ? "" : ".") + key.stringValue
      }
    }
    return position.singleLine(limit: 200)
  }
}

extension KeyedDecodingContainer {
  /// Decodes a required value. Every failure is a `DecodingError` with the coding path.
  ///
  /// Foundation's JSON decoder throws an error without a path for a number that does not fit the
  /// type, such as 1e999, or 1.5 for an integer.
  package func value<Value: Decodable>(_ type: Value.Type, at key: Key) throws -> Value {
    do {
      return try decode(type, forKey: key)
    } catch let error as DecodingError {
      throw error
    } catch {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: self, debugDescription: "the number is out of range for this value")
    }
  }

  /// Decodes an optional value, which may be missing or null. Errors are as in ``value(_:at:)``.
  package func optionalValue<Value: Decodable>(_ type: Value.Type, at key: Key) throws -> Value? {
    guard contains(key), try !decodeNil(forKey: key) else { return nil }
    return try value(type, at: key)
  }

  /// The value that `make` creates from decoded values. If the validation of the value fails, the
  /// error becomes a `DecodingError` with the coding path.
  package func validated<Value>(_ make: () throws -> Value) throws -> Value {
    do {
      return try make()
    } catch let error as DecodingError {
      throw error
    } catch {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: codingPath, debugDescription: "\(error)", underlyingError: error))
    }
  }
}

/// A validation error with a separate path and reason, so that a document parser can prepend the
/// path of the value.
package protocol PositionedReason: Error {
  /// The path of the invalid value, such as "gains[2][5]"; empty for the whole value.
  var position: String { get }

  /// What is wrong, without the path.
  var reason: String { get }
}
