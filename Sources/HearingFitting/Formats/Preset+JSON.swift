public import Foundation

extension Preset {
  /// Reads a preset from JSON.
  ///
  ///     {
  ///       "format": "hearing-preset",
  ///       "version": 1,
  ///       "rule": "fig6", "ruleVersion": 1,
  ///       "left": {
  ///         "frequencies": [500, 2000],
  ///         "inputLevels": [40, 80],
  ///         "gains": [[10, 4], [30, 12]],
  ///         "attackTimes": [0.005, 0.005],
  ///         "releaseTimes": [0.1, 0.1],
  ///         "maximumOutput": 105
  ///       },
  ///       "right": …
  ///     }
  ///
  /// | key | what it holds |
  /// |---|---|
  /// | `format`, `version` | "hearing-preset" and 1; a higher version is an error |
  /// | `rule`, `ruleVersion` | the rule that made the preset, by name and version; may be missing |
  /// | `left`, `right` | the ears; missing or null: unknown |
  /// | `frequencies` | Hz, strictly rising, 1 to 100,000 |
  /// | `inputLevels` | dB SPL in the band, strictly rising, -50 to 150; one for a linear preset |
  /// | `gains` | dB, 0 to 60: a row for each frequency, in it a gain for each input level |
  /// | `attackTimes`, `releaseTimes` | seconds, one for each frequency; missing: 0.005 and 0.1 |
  /// | `maximumOutput` | dB SPL; missing: 105 |
  ///
  /// Keys that are not known are passed over. The same schema is used by `Codable`.
  ///
  /// - Throws: ``UnreadableDocument``, for whatever the bytes may be; at most 16 MiB are read.
  public init(json data: Data) throws(UnreadableDocument) {
    self = try JSONDocument.read(Preset.self, from: data)
  }

  /// The preset as JSON, in the schema that ``init(json:)`` reads: keys sorted, indented, the same
  /// bytes for equal presets.
  public func jsonData() -> Data {
    JSONDocument.write(self)
  }
}

extension Preset: Codable {
  private enum Key: String, CodingKey {
    case rule
    case ruleVersion
    case left
    case right
  }

  /// Reads and validates a preset in the schema described at ``init(json:)``.
  ///
  /// - Throws: `DecodingError` with the path and the reason.
  public init(from decoder: any Decoder) throws {
    try DocumentFormat.preset.check(decoder)
    let container = try decoder.container(keyedBy: Key.self)
    self.init(
      left: try container.optionalValue(EarPreset.self, at: .left),
      right: try container.optionalValue(EarPreset.self, at: .right),
      rule: try container.optionalValue(String.self, at: .rule),
      ruleVersion: try container.optionalValue(Int.self, at: .ruleVersion))
  }

  /// Writes the preset in the schema described at ``init(json:)``.
  public func encode(to encoder: any Encoder) throws {
    try DocumentFormat.preset.write(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encodeIfPresent(rule, forKey: .rule)
    try container.encodeIfPresent(ruleVersion, forKey: .ruleVersion)
    try container.encodeIfPresent(left, forKey: .left)
    try container.encodeIfPresent(right, forKey: .right)
  }
}
