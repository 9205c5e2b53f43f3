extension PieceMetadata {
  /// Why values are no metadata: the field, the place in it and what stands there.
  public enum Invalid: Error, Sendable, Equatable {
    /// The title has nothing that can be seen.
    case emptyTitle
    /// The title has more Unicode scalars than it may.
    case titleTooLong(Int, limit: Int)
    /// The title has a control character or a line's end, as so many a Unicode scalar of it.
    case controlCharacterInTitle(index: Int)
    /// The length in microseconds is outside ``PieceMetadata/lengths``.
    case lengthOutOfRange(Int64)
    /// The tempo is outside ``PieceMetadata/tempos``, or no number.
    case tempoOutOfRange(Double)
    /// The loop ends after the piece, both in microseconds.
    case loopBeyondLength(end: Int64, length: Int64)
    /// The piece is based on more pieces than it may.
    case tooManyOrigins(Int, limit: Int)
    /// A piece that it is based on is named before.
    case repeatedOrigin(PieceIdentifier, index: Int)

    /// Two errors are the same also if they tell of the same NaN.
    public static func == (first: Invalid, second: Invalid) -> Bool {
      first.place == second.place && first.reason == second.reason
    }
  }
}

extension PieceMetadata.Invalid: CustomStringConvertible {
  /// The field, such as "loop.end" or "basedOn[3]".
  public var place: String {
    switch self {
    case .emptyTitle, .titleTooLong, .controlCharacterInTitle: "title"
    case .lengthOutOfRange: "length"
    case .tempoOutOfRange: "tempo"
    case .loopBeyondLength: "loop.end"
    case .tooManyOrigins: "basedOn"
    case .repeatedOrigin(_, let index): "basedOn[\(index)]"
    }
  }

  /// Why, without the field.
  public var reason: String {
    switch self {
    case .emptyTitle: "there is nothing in it that can be read"
    case .titleTooLong(let count, let limit): "\(count) characters are more than \(limit)"
    case .controlCharacterInTitle(let index): "character \(index) is a control character"
    case .lengthOutOfRange(let length):
      "\(length) µs are outside 1 µs to 24 h"
    case .tempoOutOfRange(let tempo):
      "\(tempo) BPM are outside 1 to 999.999"
    case .loopBeyondLength(let end, let length):
      "\(end) µs lie after the piece, which has \(length)"
    case .tooManyOrigins(let count, let limit): "\(count) pieces are more than \(limit)"
    case .repeatedOrigin(let identifier, _): "\"\(identifier)\" is named before"
    }
  }

  /// One line: the field and the reason.
  public var description: String { "\(place): \(reason)" }
}
