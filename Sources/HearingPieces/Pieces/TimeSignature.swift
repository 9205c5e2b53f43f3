internal import HearingFitting

/// A time signature: the number of beats in a bar, and the note value of a beat.
///
///     let waltz = try TimeSignature(upper: 3, lower: 4)
public struct TimeSignature: Sendable, Hashable {
  /// The number of beats in a bar, 1…16.
  public let upper: Int

  /// The denominator of the note value of a beat: 2, 4, 8 or 16. For example, 4 means a quarter
  /// note.
  public let lower: Int

  /// The valid values of ``upper``.
  public static let uppers = 1...16

  /// The valid values of ``lower``.
  public static let lowers = [2, 4, 8, 16]

  /// Creates a time signature.
  public init(upper: Int, lower: Int) throws(PieceMetadata.Invalid) {
    guard Self.uppers.contains(upper) else { throw .beatsOutOfRange(upper) }
    guard Self.lowers.contains(lower) else { throw .unknownNoteValue(lower) }
    self.upper = upper
    self.lower = lower
  }
}

extension TimeSignature: CustomStringConvertible {
  /// The time signature in the usual notation, for example "6/8".
  public var description: String { "\(upper)/\(lower)" }
}

extension TimeSignature: Codable {
  private enum Key: String, CodingKey {
    case upper
    case lower
  }

  /// Decodes a time signature such as `{"upper": 6, "lower": 8}`.
  ///
  /// - Throws: `DecodingError` with the reason, and with the coding path of the invalid value.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let upper = try container.value(Int.self, at: .upper)
    let lower = try container.value(Int.self, at: .lower)
    do {
      try self.init(upper: upper, lower: lower)
    } catch {
      throw DecodingError.dataCorruptedError(
        forKey: error == .beatsOutOfRange(upper) ? .upper : .lower, in: container,
        debugDescription: error.reason)
    }
  }

  /// Encodes the time signature in the schema of ``init(from:)``.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(upper, forKey: .upper)
    try container.encode(lower, forKey: .lower)
  }
}
