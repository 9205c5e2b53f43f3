package import Foundation

/// Reads and writes complete JSON documents, with a size limit and one-line errors.
package enum JSONDocument {
  /// The maximum size of a document in bytes: 16 MiB. The largest possible preset is ten times
  /// smaller.
  static let maximumSize = 16 * 1024 * 1024

  /// Accepts a JSON value of any type, and ignores the value.
  private struct Ignored: Decodable {}

  /// The keys of the outermost object of a document. The syntax of the values is not checked.
  static func keys(in data: Data) throws(UnreadableDocument) -> Set<String> {
    Set(try decode([String: Ignored].self, from: data).keys)
  }

  /// Reads a value from a JSON document.
  package static func read<Content: Decodable>(
    _ type: Content.Type, from data: Data
  ) throws(UnreadableDocument) -> Content {
    let content = try decode(type, from: data)
    try checkGrammar(of: data)
    return content
  }

  private static func decode<Content: Decodable>(
    _ type: Content.Type, from data: Data
  ) throws(UnreadableDocument) -> Content {
    guard data.count <= maximumSize else { throw .tooLarge(bytes: data.count, limit: maximumSize) }
    do {
      return try JSONDecoder().decode(type, from: data)
    } catch DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty {
      // The error describes an invalid value of the document. For the user, such an error is more
      // useful than a syntax error.
      throw UnreadableDocument(DecodingError.dataCorrupted(context))
    } catch {
      try checkGrammar(of: data)
      throw UnreadableDocument(error)
    }
  }

  /// Checks the syntax of the whole document. The decoder does not check the syntax of the values
  /// that the decoder ignores.
  private static func checkGrammar(of data: Data) throws(UnreadableDocument) {
    do {
      _ = try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
    } catch {
      let error = error as NSError
      let reason = error.userInfo[NSDebugDescriptionErrorKey] as? String ?? "\(error)"
      throw .malformed(reason: "not JSON: \(reason)".singleLine(limit: 300))
    }
  }

  /// The content as JSON, with sorted keys and indentation. Equal contents have equal bytes.
  package static func write<Content: Encodable>(_ content: Content) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do {
      return try encoder.encode(content)
    } catch { preconditionFailure("a valid \(Content.self) cannot be encoded as JSON: \(error)") }
  }
}

extension UnreadableDocument {
  /// Creates an error that describes an error of Foundation's decoder in one line.
  fileprivate init(_ error: any Error) {
    switch error as? DecodingError {
    case .keyNotFound(let key, let context):
      self = .invalid(position: (context.codingPath + [key]).position, reason: "missing")
    case .typeMismatch(let type, let context):
      self.init(context, reason: Self.name(of: type).map { "expected \($0)" })
    case .valueNotFound(let type, let context):
      self.init(context, reason: Self.name(of: type).map { "null, expected \($0)" })
    case .dataCorrupted(let context):
      if let reason = context.underlyingError as? UnreadableDocument {
        self = reason
      } else if let reason = context.underlyingError as? any PositionedReason {
        let position = [context.codingPath.position, reason.position].filter { !$0.isEmpty }
        self = .invalid(position: position.joined(separator: "."), reason: reason.reason)
      } else if context.codingPath.isEmpty {
        self = .malformed(reason: "not JSON: \(context.debugDescription)".singleLine(limit: 300))
      } else {
        self.init(context)
      }
    default:
      self = .malformed(reason: "\(error)".singleLine(limit: 300))
    }
  }

  /// Creates an error with the path of `context` and with `reason`. If `reason` is nil, the error
  /// contains the decoder's reason.
  private init(_ context: DecodingError.Context, reason: String? = nil) {
    let reason = reason ?? context.debugDescription.singleLine(limit: 300)
    self = .invalid(position: context.codingPath.position, reason: reason)
  }

  /// The kind of JSON value that a Swift type expects, such as "a number"; nil if the kind is
  /// unknown.
  private static func name(of type: Any.Type) -> String? {
    switch type {
    case is Bool.Type: "true or false"
    case is String.Type: "text"
    case is any BinaryInteger.Type: "a whole number"
    case is any BinaryFloatingPoint.Type: "a number"
    default:
      // If an object or a list is expected, Foundation's decoder reports an internal type of the
      // decoder.
      switch "\(type)".prefix(while: { $0 != "<" }) {
      case "Dictionary", "KeyedDecodingContainer": "an object"
      case "Array", "UnkeyedDecodingContainer": "a list"
      default: nil
      }
    }
  }
}
