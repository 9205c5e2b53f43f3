internal import HearingFitting

extension PieceMetadata: Codable {
  private enum Key: String, CodingKey {
    case title
    case length
    case tempo
    case loop
    case timeSignature
    case basedOn
    case tonality
  }

  /// Reads and validates metadata in the schema described at ``init(json:)``; keys that are not
  /// known are passed over.
  ///
  /// - Throws: `DecodingError` with the path and the reason.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let title = try container.value(String.self, at: .title)
    let length = try container.value(Int64.self, at: .length)
    let tempo = try container.optionalValue(Double.self, at: .tempo)
    let loop = try container.optionalValue(LoopMarkers.self, at: .loop)
    let timeSignature = try container.optionalValue(TimeSignature.self, at: .timeSignature)
    let basedOn = try container.optionalValue([PieceIdentifier].self, at: .basedOn)
    let tonality = try container.optionalValue(Tonality.self, at: .tonality)
    do {
      try self.init(
        title: title, length: length, tempo: tempo, loop: loop, timeSignature: timeSignature,
        basedOn: basedOn ?? [], tonality: tonality ?? .unknown)
    } catch {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: container.codingPath, debugDescription: error.description,
          underlyingError: error))
    }
  }

  /// Writes what ``init(from:)`` reads; what is not known is left out.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(title, forKey: .title)
    try container.encode(length, forKey: .length)
    try container.encodeIfPresent(tempo, forKey: .tempo)
    try container.encodeIfPresent(loop, forKey: .loop)
    try container.encodeIfPresent(timeSignature, forKey: .timeSignature)
    if !basedOn.isEmpty { try container.encode(basedOn, forKey: .basedOn) }
    try container.encode(tonality, forKey: .tonality)
  }
}

extension PieceMetadata.Invalid: PlacedReason {}
