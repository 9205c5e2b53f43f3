extension KeyedDecodingContainer {
  /// A value that must be there; whatever goes wrong is a `DecodingError` that knows the place.
  ///
  /// Foundation's JSON decoder throws an error without a place for a number that its type cannot
  /// hold, such as 1e999 or, for an integer, 1.5.
  package func value<Value: Decodable>(_ type: Value.Type, at key: Key) throws -> Value {
    do {
      return try decode(type, forKey: key)
    } catch let error as DecodingError {
      throw error
    } catch {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: self, debugDescription: "a number that does not fit here")
    }
  }

  /// A value that may be missing or null, as ``value(_:at:)``.
  package func optionalValue<Value: Decodable>(_ type: Value.Type, at key: Key) throws -> Value? {
    guard contains(key), try !decodeNil(forKey: key) else { return nil }
    return try value(type, at: key)
  }
}
