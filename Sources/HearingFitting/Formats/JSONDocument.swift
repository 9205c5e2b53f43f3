package import Foundation

/// Reads and writes whole JSON documents: bounded in size, with errors of one line.
package enum JSONDocument {
  /// The most bytes that are read: 16 MiB, ten times what the largest preset takes.
  static let maximumSize = 16 * 1024 * 1024

  package static func read<Content: Decodable>(
    _ type: Content.Type, from data: Data
  ) throws(UnreadableDocument) -> Content {
    guard data.count <= maximumSize else {
      throw .tooLarge(bytes: data.count, limit: maximumSize)
    }
    do {
      return try JSONDecoder().decode(type, from: data)
    } catch {
      throw UnreadableDocument(error, reading: data)
    }
  }

  /// The content as JSON: keys sorted, indented, the same bytes for equal contents.
  package static func write<Content: Encodable>(_ content: Content) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do {
      return try encoder.encode(content)
    } catch {
      preconditionFailure("valid \(Content.self) that JSON cannot hold: \(error)")
    }
  }
}

extension UnreadableDocument {
  /// What Foundation's reader found, in one line.
  fileprivate init(_ error: any Error, reading data: Data) {
    guard let error = error as? DecodingError else {
      self = .malformed(reason: "\(error)".singleLine(limit: 300))
      return
    }
    switch error {
    case .keyNotFound(let key, let context):
      self = .invalid(place: (context.codingPath + [key]).place, reason: "missing")
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      self = Self.invalid(context)
    case .dataCorrupted(let context):
      if let reason = context.underlyingError as? UnreadableDocument {
        self = reason
      } else if let reason = context.underlyingError as? any PlacedReason {
        let place = [context.codingPath.place, reason.place].filter { !$0.isEmpty }
        self = .invalid(place: place.joined(separator: "."), reason: reason.reason)
      } else if context.codingPath.isEmpty {
        let reason = Self.grammarError(in: data) ?? context.debugDescription
        self = .malformed(reason: "not JSON: \(reason)".singleLine(limit: 300))
      } else {
        self = Self.invalid(context)
      }
    @unknown default:
      self = .malformed(reason: "\(error)".singleLine(limit: 300))
    }
  }

  /// Where the grammar of JSON is broken; the decoder itself does not say.
  private static func grammarError(in data: Data) -> String? {
    do {
      _ = try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
      return nil
    } catch {
      return (error as NSError).userInfo[NSDebugDescriptionErrorKey] as? String
    }
  }

  private static func invalid(_ context: DecodingError.Context) -> UnreadableDocument {
    .invalid(
      place: context.codingPath.place, reason: context.debugDescription.singleLine(limit: 300))
  }
}
