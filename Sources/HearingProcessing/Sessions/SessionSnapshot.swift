internal import Foundation

/// The values of a session as stored for the next one.
///
/// As JSON, version 1:
///
///     {"format": "hearing-session", "intensity": 0.5, "isEnabled": true, "preset": {…}, "version": 1}
///
/// `preset` is absent if there is none, otherwise as `Preset` documents it.
struct SessionSnapshot: Equatable, Sendable {
  var values: SessionValues

  static let version = 1
  private static let format = "hearing-session"

  /// Why data is not a readable snapshot.
  enum Unreadable: Error {
    case malformed(String)
    case newer(Int)
  }

  init(_ values: SessionValues) {
    self.values = values
  }

  init(json: Data) throws(Unreadable) {
    do {
      let head = try JSONDecoder().decode(Head.self, from: json)
      guard head.format == Self.format else {
        throw Unreadable.malformed("its format is not \(Self.format)")
      }
      guard head.version <= Self.version else { throw Unreadable.newer(head.version) }
      guard head.version > 0 else {
        throw Unreadable.malformed("its version is \(head.version)")
      }
      values = try JSONDecoder().decode(Body.self, from: json).values
    } catch let error as Unreadable {
      throw error
    } catch DecodingError.dataCorrupted(let context) where context.underlyingError == nil {
      throw .malformed(Self.onOneLine(context.debugDescription))
    } catch {
      throw .malformed(Self.onOneLine("\(error)"))
    }
  }

  func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(
      Body(head: Head(format: Self.format, version: Self.version), values: values))
  }

  private static func onOneLine(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  private struct Head: Codable {
    let format: String
    let version: Int
  }

  private struct Body: Codable {
    let head: Head
    let values: SessionValues

    init(head: Head, values: SessionValues) {
      self.head = head
      self.values = values
    }

    init(from decoder: any Decoder) throws {
      head = try Head(from: decoder)
      let container = try decoder.container(keyedBy: SessionKey.self)
      var values = SessionValues()
      for parameter in SessionValues.parameters {
        try parameter.decode(from: container, into: &values)
      }
      self.values = values
    }

    func encode(to encoder: any Encoder) throws {
      try head.encode(to: encoder)
      var container = encoder.container(keyedBy: SessionKey.self)
      for parameter in SessionValues.parameters {
        try parameter.encode(values, to: &container)
      }
    }
  }
}
