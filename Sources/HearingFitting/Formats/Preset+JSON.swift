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
  /// | key | content |
  /// |---|---|
  /// | `format`, `version` | "hearing-preset" and 1; a higher version is an error |
  /// | `rule`, `ruleVersion` | name and version of the rule that made the preset; optional |
  /// | `left`, `right` | the ears; missing or null: unknown |
  /// | `frequencies` | Hz, strictly rising, 1 to 100,000 |
  /// | `inputLevels` | dB SPL in the band, strictly rising, -50 to 150; one for a linear preset |
  /// | `gains` | dB, 0 to 60: a row for each frequency, in it a gain for each input level |
  /// | `attackTimes`, `releaseTimes` | seconds, one for each frequency; missing: 0.005 and 0.1 |
  /// | `maximumOutput` | dB SPL; missing: 105 |
  ///
  /// Unknown keys are ignored. `Codable` uses the same schema.
  ///
  /// - Throws: ``UnreadableDocument`` for any invalid input; at most 16 MiB are read.
  public init(json data: Data) throws(UnreadableDocument) {
    self = try JSONDocument.read(Preset.self, from: data)
  }

  /// The preset as JSON, in the schema of ``init(json:)``: sorted keys, indented; equal presets have
  /// equal bytes.
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

  /// Decodes and validates a preset in the schema of ``init(json:)``.
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

  /// Encodes the preset in the schema of ``init(json:)``.
  public func encode(to encoder: any Encoder) throws {
    try DocumentFormat.preset.write(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encodeIfPresent(rule, forKey: .rule)
    try container.encodeIfPresent(ruleVersion, forKey: .ruleVersion)
    try container.encodeIfPresent(left, forKey: .left)
    try container.encodeIfPresent(right, forKey: .right)
  }
}

extension EarPreset: Codable {
  private enum Key: String, CodingKey {
    case frequencies
    case inputLevels
    case gains
    case attackTimes
    case releaseTimes
    case maximumOutput
  }

  /// Decodes one ear of a preset in the schema of ``Preset/init(json:)`` and validates it like
  /// ``init(frequencies:inputLevels:gains:attackTimes:releaseTimes:maximumOutput:)``.
  ///
  /// - Throws: `DecodingError` with the path and the reason.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let frequencies = try container.value([Double].self, at: .frequencies)
    let inputLevels = try container.value([Double].self, at: .inputLevels)
    let gains = try container.value([[Double]].self, at: .gains)
    let attackTimes = try container.optionalValue([Double].self, at: .attackTimes)
    let releaseTimes = try container.optionalValue([Double].self, at: .releaseTimes)
    let maximumOutput = try container.optionalValue(Double.self, at: .maximumOutput)
    do {
      try self.init(
        frequencies: frequencies, inputLevels: inputLevels, gains: gains,
        attackTimes: attackTimes, releaseTimes: releaseTimes,
        maximumOutput: maximumOutput ?? Self.defaultMaximumOutput)
    } catch {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: container.codingPath, debugDescription: error.description,
          underlyingError: error))
    }
  }

  /// Encodes all values, including defaults.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(frequencies, forKey: .frequencies)
    try container.encode(inputLevels, forKey: .inputLevels)
    try container.encode(gains, forKey: .gains)
    try container.encode(attackTimes, forKey: .attackTimes)
    try container.encode(releaseTimes, forKey: .releaseTimes)
    try container.encode(maximumOutput, forKey: .maximumOutput)
  }
}

extension EarPreset.Invalid: PlacedReason {}
