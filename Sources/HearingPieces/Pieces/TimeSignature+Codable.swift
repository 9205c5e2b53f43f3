internal import HearingFitting

extension TimeSignature: Codable {
  private enum Key: String, CodingKey {
    case upper
    case lower
  }

  /// Reads `{"upper": 6, "lower": 8}`.
  ///
  /// - Throws: `DecodingError` with the path and the reason.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let upper = try container.value(Int.self, at: .upper)
    let lower = try container.value(Int.self, at: .lower)
    do {
      try self.init(upper: upper, lower: lower)
    } catch {
      throw DecodingError.dataCorruptedError(
        forKey: error == .upperOutOfRange(upper) ? .upper : .lower, in: container,
        debugDescription: error.description)
    }
  }

  /// Writes what ``init(from:)`` reads.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(upper, forKey: .upper)
    try container.encode(lower, forKey: .lower)
  }
}
