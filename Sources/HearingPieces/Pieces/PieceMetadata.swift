/// The metadata of a piece: title, length, tempo, loop, time signature, tonality, and the pieces on
/// which the piece is based.
///
///     let metadata = try PieceMetadata(
///       title: "Rain on tin", length: 8_000_000, tempo: 120,
///       loop: LoopMarkers(start: 0, end: 8_000_000),
///       timeSignature: TimeSignature(upper: 4, lower: 4), tonality: .majorScale(4))
///
/// A value of this type is always valid. When an application adds a piece to a library, the length
/// in the metadata is compared with the length of the mix stem (the complete music of the piece).
/// If the metadata contain no length, the length of the mix stem is used.
public struct PieceMetadata: Sendable, Hashable {
  /// The title. A title has 1…``titleLimit`` Unicode scalars, no control characters, and at least
  /// one visible character.
  public let title: String

  /// The length in microseconds, 1…86,400,000,000 (one day). Nil means that the length is not
  /// known. In a library, the length is nil only if the audio file of the mix stem does not contain
  /// the length.
  public let length: Int64?

  /// The fixed tempo in beats per minute, 1…999.999, or nil if the tempo is unknown or not fixed.
  public let tempo: Double?

  /// The loop: the section of the piece that can be repeated. Nil if the piece has no loop.
  public let loop: LoopMarkers?

  /// The time signature, or nil if the piece has no time signature or the time signature is
  /// unknown.
  public let timeSignature: TimeSignature?

  /// The pieces on which this piece is based: at most ``basedOnLimit``, without duplicates.
  public let basedOn: [PieceIdentifier]

  /// The tonality.
  public let tonality: Tonality

  /// The valid lengths of a piece in microseconds, up to one day.
  public static let lengths: ClosedRange<Int64> = 1...86_400_000_000

  /// The valid tempos in beats per minute.
  public static let tempos: ClosedRange<Double> = 1...999.999

  /// The maximum number of Unicode scalars in a title.
  public static let titleLimit = 200

  /// The maximum number of pieces on which a piece can be based.
  public static let basedOnLimit = 1_000

  /// Creates metadata and checks all values.
  ///
  /// - Parameters:
  ///   - title: The title.
  ///   - length: The length in microseconds. The length may differ from the length of the mix stem
  ///     by at most one millisecond. To compute a length, use
  ///     ``microseconds(frameCount:sampleRate:)``. If the argument is nil, the length of the mix
  ///     stem is used.
  ///   - tempo: The tempo in beats per minute, or nil if the tempo is unknown or not fixed.
  ///   - loop: The section of the piece that can be repeated. The loop must be inside the piece.
  ///   - timeSignature: The time signature, or nil if the piece has no time signature.
  ///   - basedOn: The pieces on which this piece is based.
  ///   - tonality: The tonality, unknown by default.
  /// - Throws: ``Invalid`` for the first invalid parameter.
  public init(
    title: String, length: Int64? = nil, tempo: Double? = nil, loop: LoopMarkers? = nil,
    timeSignature: TimeSignature? = nil, basedOn: [PieceIdentifier] = [],
    tonality: Tonality = .unknown
  ) throws(Invalid) {
    try Self.check(title: title)
    if let length, !Self.lengths.contains(length) { throw .lengthOutOfRange(length) }
    if let tempo, !Self.tempos.contains(tempo) { throw .tempoOutOfRange(tempo) }
    if let loop, let length, loop.end > length {
      throw .loopBeyondLength(end: loop.end, length: length)
    }
    try Self.check(basedOn: basedOn)
    self.title = title
    self.length = length
    self.tempo = tempo
    self.loop = loop
    self.timeSignature = timeSignature
    self.basedOn = basedOn
    self.tonality = tonality
  }

  /// Returns the same metadata with another length.
  func replacingLength(_ length: Int64) throws(Invalid) -> PieceMetadata {
    try PieceMetadata(
      title: title, length: length, tempo: tempo, loop: loop, timeSignature: timeSignature,
      basedOn: basedOn, tonality: tonality)
  }

  /// The duration of `frameCount` frames in microseconds, rounded to the nearest integer.
  ///
  /// - Parameters:
  ///   - frameCount: The number of frames, 0 or more.
  ///   - sampleRate: The sample rate in Hz, 1 or more.
  /// - Returns: The number of microseconds, at most `Int64.max`.
  public static func microseconds(frameCount: Int, sampleRate: Int) -> Int64 {
    precondition(frameCount >= 0, "\(frameCount) frames")
    precondition(sampleRate >= 1, "sample rate \(sampleRate)")
    let rate = Int64(sampleRate)
    let (seconds, remainder) = Int64(frameCount).quotientAndRemainder(dividingBy: rate)
    guard seconds < Int64.max / 1_000_000 else { return .max }
    return seconds * 1_000_000 + (remainder * 1_000_000 + rate / 2) / rate
  }

  private static func check(title: String) throws(Invalid) {
    let scalars = title.unicodeScalars
    guard scalars.contains(where: isVisible) else { throw .emptyTitle }
    for (index, scalar) in scalars.enumerated() {
      guard index < titleLimit else { throw .titleTooLong(scalars.count, limit: titleLimit) }
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator:
        throw .controlCharacterInTitle(index: index)
      default: break
      }
    }
  }

  /// Whether a character is visible: not blank, not a control character, and with a width above
  /// zero.
  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    let properties = scalar.properties
    guard !properties.isWhitespace, !properties.isDefaultIgnorableCodePoint else { return false }
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .surrogate,
      .unassigned:
      return false
    default: return scalar != "\u{2800}"  // The category of the blank Braille pattern is "symbol".
    }
  }

  private static func check(basedOn: [PieceIdentifier]) throws(Invalid) {
    guard basedOn.count <= basedOnLimit else {
      throw .tooManyOrigins(basedOn.count, limit: basedOnLimit)
    }
    var seen: Set<PieceIdentifier> = []
    for (index, identifier) in basedOn.enumerated() where !seen.insert(identifier).inserted {
      throw .repeatedOrigin(identifier, index: index)
    }
  }
}

extension PieceMetadata {
  /// The reason why metadata are invalid. The associated values of the cases are the invalid
  /// values.
  public enum Invalid: Error, Sendable, Equatable {
    /// The title has no visible character.
    case emptyTitle
    /// The title has more than `limit` Unicode scalars.
    case titleTooLong(Int, limit: Int)
    /// The title contains a control character or a line separator. `index` is the index of the
    /// invalid character, counted in Unicode scalars.
    case controlCharacterInTitle(index: Int)
    /// The length in microseconds is outside ``PieceMetadata/lengths``.
    case lengthOutOfRange(Int64)
    /// The tempo in beats per minute is outside ``PieceMetadata/tempos``, or is NaN.
    case tempoOutOfRange(Double)
    /// The end of the loop is later than the end of the piece. The associated values are in
    /// microseconds.
    case loopBeyondLength(end: Int64, length: Int64)
    /// The start of the loop is negative. The associated value is in microseconds.
    case negativeLoopStart(Int64)
    /// The start of the loop is not before the end of the loop. The associated values are in
    /// microseconds.
    case loopStartNotBeforeEnd(start: Int64, end: Int64)
    /// The upper number of the time signature is outside 1…16.
    case beatsOutOfRange(Int)
    /// The lower number of the time signature is not 2, 4, 8 or 16.
    case unknownNoteValue(Int)
    /// `basedOn` contains more than `limit` pieces.
    case tooManyOrigins(Int, limit: Int)
    /// A piece is listed twice in `basedOn`. `index` is the index of the second entry.
    case repeatedOrigin(PieceIdentifier, index: Int)

    /// Compares the descriptions of two errors. The invalid tempo may be NaN, and NaN is not equal
    /// to itself.
    public static func == (first: Invalid, second: Invalid) -> Bool {
      first.position == second.position && first.reason == second.reason
    }
  }
}

extension PieceMetadata.Invalid: CustomStringConvertible {
  /// The invalid field, such as "loop.end" or "basedOn[3]".
  public var position: String {
    switch self {
    case .emptyTitle, .titleTooLong, .controlCharacterInTitle: "title"
    case .lengthOutOfRange: "length"
    case .tempoOutOfRange: "tempo"
    case .loopBeyondLength: "loop.end"
    case .negativeLoopStart, .loopStartNotBeforeEnd: "loop.start"
    case .beatsOutOfRange: "timeSignature.upper"
    case .unknownNoteValue: "timeSignature.lower"
    case .tooManyOrigins: "basedOn"
    case .repeatedOrigin(_, let index): "basedOn[\(index)]"
    }
  }

  /// The reason why the field is invalid, without the name of the field.
  public var reason: String {
    switch self {
    case .emptyTitle: "it has no visible character"
    case .titleTooLong(let count, let limit): "\(count) characters; at most \(limit) are allowed"
    case .controlCharacterInTitle(let index): "character \(index) is a control character"
    case .lengthOutOfRange(let length):
      "\(length) µs is outside 1 µs to 24 h"
    case .tempoOutOfRange(let tempo):
      "\(tempo) BPM is outside 1 to 999.999"
    case .loopBeyondLength(let end, let length):
      "\(end) µs is after the end of the piece, \(length) µs"
    case .negativeLoopStart(let start): "a start of \(start) µs is before the piece"
    case .loopStartNotBeforeEnd(let start, let end):
      "a start of \(start) µs is not before the end, \(end) µs"
    case .beatsOutOfRange(let upper): "an upper number of \(upper) is outside 1 to 16"
    case .unknownNoteValue(let lower): "a lower number of \(lower) is not 2, 4, 8 or 16"
    case .tooManyOrigins(let count, let limit): "\(count) pieces; at most \(limit) are allowed"
    case .repeatedOrigin(let identifier, _): "\"\(identifier)\" is listed twice"
    }
  }

  /// The error in one line: the field and the reason.
  public var description: String { "\(position): \(reason)" }
}
