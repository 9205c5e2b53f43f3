internal import Foundation

/// The values of a session, as stored for the next session.
///
/// The JSON format, version 1:
///
///     {"format": "hearing-session", "intensity": 0.5, "isEnabled": true, "preset": {…},
///      "version": 1}
///
/// The value of the key `preset` is the JSON of the type `Preset`. The key `preset` is absent if
/// there is no preset. The key `fineTuning` is absent if there is no adjustment.
struct SessionSnapshot: Equatable, Sendable {
  var values: SessionValues

  static let version = 1
  private static let format = "hearing-session"
  private static let formatKey = SessionKey(stringValue: "format")
  private static let versionKey = SessionKey(stringValue: "version")

  /// The reason why data cannot be read as a snapshot.
  enum Unreadable: Error {
    case malformed(String)
    case newer(Int)
  }

  init(_ values: SessionValues) {
    self.values = values
  }

  init(json: Data) throws(Unreadable) {
    do {
      self = try JSONDecoder().decode(Self.self, from: json)
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
    return try encoder.encode(self)
  }

  private static func onOneLine(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}

extension SessionSnapshot: Codable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: SessionKey.self)
    guard try container.decode(String.self, forKey: Self.formatKey) == Self.format else {
      throw Unreadable.malformed("its format is not \(Self.format)")
    }
    let version = try container.decode(Int.self, forKey: Self.versionKey)
    guard version <= Self.version else { throw Unreadable.newer(version) }
    guard version > 0 else { throw Unreadable.malformed("its version is \(version)") }
    values = SessionValues()
    for parameter in SessionValues.parameters {
      try parameter.decode(from: container, into: &values)
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: SessionKey.self)
    try container.encode(Self.format, forKey: Self.formatKey)
    try container.encode(Self.version, forKey: Self.versionKey)
    for parameter in SessionValues.parameters {
      try parameter.encode(values, to: &container)
    }
  }
}
