internal import HearingFitting

/// The start and the end of a loop. A loop is the section of a piece that can be repeated. The loop
/// includes the start, but not the end.
///
///     let loop = try LoopMarkers(start: 0, end: 8_000_000)     // the first eight seconds
public struct LoopMarkers: Sendable, Hashable {
  /// The start of the loop in microseconds from the beginning of the piece, 0 or more.
  public let start: Int64

  /// The end of the loop in microseconds from the beginning of the piece, later than ``start``.
  public let end: Int64

  /// Creates loop markers. ``PieceMetadata`` checks that the markers are inside the piece.
  public init(start: Int64, end: Int64) throws(PieceMetadata.Invalid) {
    guard start >= 0 else { throw .negativeLoopStart(start) }
    guard start < end else { throw .loopStartNotBeforeEnd(start: start, end: end) }
    self.start = start
    self.end = end
  }
}

extension LoopMarkers: Codable {
  private enum Key: String, CodingKey {
    case start
    case end
  }

  /// Decodes loop markers such as `{"start": 0, "end": 8000000}`, in microseconds.
  ///
  /// - Throws: `DecodingError` with the reason, and with the coding path of the invalid value.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let start = try container.value(Int64.self, at: .start)
    let end = try container.value(Int64.self, at: .end)
    do {
      try self.init(start: start, end: end)
    } catch {
      throw DecodingError.dataCorruptedError(
        forKey: .start, in: container, debugDescription: error.reason)
    }
  }

  /// Encodes the loop markers in the schema of ``init(from:)``.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(start, forKey: .start)
    try container.encode(end, forKey: .end)
  }
}
