internal import HearingFitting

extension LoopMarkers: Codable {
  private enum Key: String, CodingKey {
    case start
    case end
  }

  /// Reads `{"start": 0, "end": 8000000}`, in microseconds.
  ///
  /// - Throws: `DecodingError` with the path and the reason.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let start = try container.value(Int64.self, at: .start)
    let end = try container.value(Int64.self, at: .end)
    do {
      try self.init(start: start, end: end)
    } catch {
      throw DecodingError.dataCorruptedError(
        forKey: .start, in: container, debugDescription: error.description)
    }
  }

  /// Writes what ``init(from:)`` reads.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(start, forKey: .start)
    try container.encode(end, forKey: .end)
  }
}
