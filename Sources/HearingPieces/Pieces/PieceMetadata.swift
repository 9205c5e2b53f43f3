/// What is known of a piece: title, length, tempo, loop, time signature, origin, tonality.
///
///     let metadata = try PieceMetadata(
///       title: "Rain on tin", length: 8_000_000, tempo: 120,
///       loop: LoopMarkers(start: 0, end: 8_000_000),
///       timeSignature: TimeSignature(upper: 4, lower: 4), tonality: .majorScale(4))
///
/// A value of this type is always valid. It describes the sound and does not find anything out
/// about it; that a mix stem has this length is checked when the piece is dropped.
public struct PieceMetadata: Sendable, Hashable {
  /// What the piece is called: 1…``titleLimit`` Unicode scalars, not only spaces, no control
  /// characters.
  public let title: String

  /// How long the piece is, in microseconds: 1…86,400,000,000, a day.
  public let length: Int64

  /// Beats a minute, if they are the same throughout: 1…999.999; nil: not fixed, or not known.
  public let tempo: Double?

  /// The part that can be played over and over; nil: the piece is no loop.
  public let loop: LoopMarkers?

  /// The time signature; nil: not known, or none.
  public let timeSignature: TimeSignature?

  /// The pieces that this one was made from, each once, at most ``basedOnLimit``.
  public let basedOn: [PieceIdentifier]

  /// The tones it is made of.
  public let tonality: Tonality

  /// The lengths in microseconds that a piece can have: from one to those of a day.
  public static let lengths: ClosedRange<Int64> = 1...86_400_000_000

  /// The tempos in beats a minute that a piece can have.
  public static let tempos: ClosedRange<Double> = 1...999.999

  /// The most Unicode scalars of a title.
  public static let titleLimit = 200

  /// The most pieces that a piece can be based on.
  public static let basedOnLimit = 1_000

  /// Metadata, checked.
  ///
  /// - Parameters:
  ///   - title: What the piece is called.
  ///   - length: In microseconds; see ``microseconds(frameCount:sampleRate:)``.
  ///   - tempo: Beats a minute, if fixed.
  ///   - loop: The part that can be played over and over, inside the length.
  ///   - timeSignature: If there is one.
  ///   - basedOn: The pieces that this one was made from.
  ///   - tonality: Default: unknown.
  /// - Throws: ``Invalid``: what is wrong first, in the order of the parameters.
  public init(
    title: String, length: Int64, tempo: Double? = nil, loop: LoopMarkers? = nil,
    timeSignature: TimeSignature? = nil, basedOn: [PieceIdentifier] = [],
    tonality: Tonality = .unknown
  ) throws(Invalid) {
    try Self.check(title: title)
    guard Self.lengths.contains(length) else { throw .lengthOutOfRange(length) }
    if let tempo, !Self.tempos.contains(tempo) { throw .tempoOutOfRange(tempo) }
    if let loop, loop.end > length { throw .loopBeyondLength(end: loop.end, length: length) }
    try Self.check(basedOn: basedOn)
    self.title = title
    self.length = length
    self.tempo = tempo
    self.loop = loop
    self.timeSignature = timeSignature
    self.basedOn = basedOn
    self.tonality = tonality
  }

  /// How long so many frames are in microseconds, rounded to the nearest.
  ///
  /// - Parameters:
  ///   - frameCount: 0 or more.
  ///   - sampleRate: Frames a second, 1 or more.
  /// - Returns: The microseconds; `Int64.max` where there are more.
  public static func microseconds(frameCount: Int, sampleRate: Int) -> Int64 {
    precondition(frameCount >= 0, "\(frameCount) frames")
    precondition(sampleRate >= 1, "sample rate \(sampleRate)")
    let rate = Int64(sampleRate)
    let (seconds, rest) = Int64(frameCount).quotientAndRemainder(dividingBy: rate)
    guard seconds < Int64.max / 1_000_000 else { return .max }
    return seconds * 1_000_000 + (rest * 1_000_000 + rate / 2) / rate
  }

  private static func check(title: String) throws(Invalid) {
    let scalars = title.unicodeScalars
    guard scalars.contains(where: { !$0.properties.isWhitespace }) else { throw .emptyTitle }
    for (index, scalar) in scalars.enumerated() {
      guard index < titleLimit else { throw .titleTooLong(scalars.count, limit: titleLimit) }
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator:
        throw .controlCharacterInTitle(index: index)
      default: break
      }
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
