public import Foundation

extension FittingLimits: Codable {
  private enum Key: String, CodingKey, CaseIterable {
    case holdsUnmeasuredGain, expansionSpeechLevel, expansionSlope
    case maximumRatio, maximumGain, discomfortMargin
  }

  /// Reads limits from JSON.
  ///
  ///     {
  ///       "holdsUnmeasuredGain": true,
  ///       "expansionSpeechLevel": 45, "expansionSlope": 3,
  ///       "maximumRatio": 3,
  ///       "maximumGain": 55,
  ///       "discomfortMargin": 5
  ///     }
  ///
  /// If a key is missing, the value of ``standard`` is used. The value null removes a limit. If
  /// unknown keys were ignored, a misspelled limit would have no effect. Therefore an unknown key
  /// is an error.
  ///
  /// The `Codable` conformance uses the schema of this initialiser, but ignores unknown keys. The
  /// limits in a preset file may contain unknown keys if a later version of the package has written
  /// the file.
  ///
  /// - Throws: ``UnreadableDocument``, which contains the name of the invalid key.
  public init(json data: Data) throws(UnreadableDocument) {
    self = try JSONDocument.read(FittingLimits.self, from: data)
    let unknown = try JSONDocument.keys(in: data).filter { Key(rawValue: $0) == nil }
    guard let name = unknown.min() else { return }
    let known = Key.allCases.map(\.rawValue).joined(separator: ", ")
    throw .invalid(
      position: name.singleLine(limit: 200), reason: "not a limit; the limits are \(known)")
  }

  /// The limits as JSON, in the schema of ``init(json:)``, with sorted keys and indentation.
  public func jsonData() -> Data { JSONDocument.write(self) }

  /// Decodes and validates limits in the schema of ``init(json:)``.
  ///
  /// - Throws: `DecodingError`, which contains the path of the invalid value and the reason.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let usual = FittingLimits.standard
    func number(_ key: Key, else usual: Double?) throws -> Double? {
      container.contains(key) ? try container.optionalValue(Double.self, at: key) : usual
    }
    self = try container.validated {
      try Self(
        holdsUnmeasuredGain: try container.optionalValue(Bool.self, at: .holdsUnmeasuredGain)
          ?? usual.holdsUnmeasuredGain,
        expansionSpeechLevel: try number(.expansionSpeechLevel, else: usual.expansionSpeechLevel),
        expansionSlope: try number(.expansionSlope, else: nil) ?? usual.expansionSlope,
        maximumRatio: try number(.maximumRatio, else: usual.maximumRatio),
        maximumGain: try number(.maximumGain, else: usual.maximumGain),
        discomfortMargin: try number(.discomfortMargin, else: usual.discomfortMargin))
    }
  }

  /// Encodes all fields. A limit that is nil is written as null.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(holdsUnmeasuredGain, forKey: .holdsUnmeasuredGain)
    try container.encode(expansionSpeechLevel, forKey: .expansionSpeechLevel)
    try container.encode(expansionSlope, forKey: .expansionSlope)
    try container.encode(maximumRatio, forKey: .maximumRatio)
    try container.encode(maximumGain, forKey: .maximumGain)
    try container.encode(discomfortMargin, forKey: .discomfortMargin)
  }
}
