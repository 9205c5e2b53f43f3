public import Foundation

extension Preset: Codable {
  private enum Key: String, CodingKey {
    case rule, ruleVersion, left, right, program, limits, fineTuning
  }

  /// Reads a preset from JSON.
  ///
  ///     {
  ///       "format": "hearing-preset",
  ///       "version": 2,
  ///       "rule": "fig6", "ruleVersion": 1, "program": "speech",
  ///       "limits": {"maximumRatio": 3, "maximumGain": 55},
  ///       "fineTuning": {"loudness": 0.5, "brightness": 0, "crispness": -0.25},
  ///       "left": {
  ///         "frequencies": [500, 2000],
  ///         "inputLevels": [40, 80],
  ///         "gains": [[10, 4], [30, 12]],
  ///         "attackTimes": [0.005, 0.005],
  ///         "releaseTimes": [0.1, 0.1],
  ///         "maximumOutput": 105,
  ///         "maximumOutputs": [104.4, 102.7],
  ///         "limitedGains": [{"frequency": 2000, "limit": "ratio", "change": -2.5}],
  ///         "assumedThresholds": [{"frequency": 2000, "tested": 85, "assumed": 90}]
  ///       },
  ///       "right": …
  ///     }
  ///
  /// | key | content |
  /// |---|---|
  /// | `format`, `version` | "hearing-preset" and 1 or 2; a higher version is an error |
  /// | `rule`, `ruleVersion` | name and version of the rule that created the preset; optional |
  /// | `left`, `right` | the ears; an ear that is missing or null is unknown |
  /// | `frequencies` | Hz, strictly rising, 1 to 100,000 |
  /// | `inputLevels` | dB SPL in the band, strictly rising, -50 to 150; one level for a linear preset |
  /// | `gains` | dB, 0 to 60: one row for each frequency, with one gain for each input level |
  /// | `attackTimes`, `releaseTimes` | seconds, one for each frequency; 0.005 and 0.1 if missing |
  /// | `maximumOutput` | dB SPL; 105 if missing |
  /// | `maximumOutputs` | dB SPL in the band, one for each frequency; optional |
  /// | `limitedGains` | gains that the limits changed, with the largest change in dB; optional |
  /// | `assumedThresholds` | assumed thresholds in dB HL for no-response points; optional |
  /// | `program` | the listening program, such as "music"; optional |
  /// | `fineTuning` | the listener's adjustment, -1 to 1 (see ``FineTuning``); optional |
  /// | `limits` | the limits that were applied (see ``FittingLimits``); optional |
  ///
  /// Version 1 does not have `maximumOutputs`, `limitedGains`, `assumedThresholds`, `program`,
  /// `limits` or `fineTuning`. Documents of version 1 can still be read. If a preset has no values
  /// for the new keys of version 2, the preset is written as version 1.
  ///
  /// Unknown keys are ignored. `Codable` uses the same schema.
  ///
  /// - Throws: ``UnreadableDocument`` for any invalid input, and for input of more than 16 MiB.
  public init(json data: Data) throws(UnreadableDocument) {
    self = try JSONDocument.read(Preset.self, from: data)
  }

  /// The preset as JSON, in the schema of ``init(json:)``, with sorted keys and indentation. Equal
  /// presets have equal bytes.
  public func jsonData() -> Data { JSONDocument.write(self) }

  /// Decodes and validates a preset in the schema of ``init(json:)``.
  ///
  /// - Throws: `DecodingError`, which contains the path of the invalid value and the reason.
  public init(from decoder: any Decoder) throws {
    try DocumentFormat.preset.check(decoder)
    let container = try decoder.container(keyedBy: Key.self)
    self.init(
      left: try container.optionalValue(EarPreset.self, at: .left),
      right: try container.optionalValue(EarPreset.self, at: .right),
      rule: try container.optionalValue(String.self, at: .rule),
      ruleVersion: try container.optionalValue(Int.self, at: .ruleVersion),
      program: try container.optionalValue(Program.self, at: .program),
      limits: try container.optionalValue(FittingLimits.self, at: .limits),
      fineTuning: try container.optionalValue(FineTuning.self, at: .fineTuning) ?? .none)
  }

  /// Encodes the preset in the schema of ``init(json:)``.
  public func encode(to encoder: any Encoder) throws {
    try DocumentFormat.preset.write(to: encoder, version: needsVersion2 ? 2 : 1)
    var container = encoder.container(keyedBy: Key.self)
    try container.encodeIfPresent(rule, forKey: .rule)
    try container.encodeIfPresent(ruleVersion, forKey: .ruleVersion)
    try container.encodeIfPresent(left, forKey: .left)
    try container.encodeIfPresent(right, forKey: .right)
    try container.encodeIfPresent(program, forKey: .program)
    try container.encodeIfPresent(limits, forKey: .limits)
    if fineTuning != .none { try container.encode(fineTuning, forKey: .fineTuning) }
  }

  /// Whether the preset contains values that a parser for version 1 would ignore.
  private var needsVersion2: Bool {
    program != nil || limits != nil || fineTuning != .none
      || [left, right].compactMap { $0 }.contains {
        $0.maximumOutputs != nil || !$0.limitedGains.isEmpty || !$0.assumedThresholds.isEmpty
      }
  }
}

extension EarPreset: Codable {
  private enum Key: String, CodingKey {
    case frequencies, inputLevels, gains, attackTimes, releaseTimes
    case maximumOutput, maximumOutputs, limitedGains, assumedThresholds
  }

  /// Decodes one ear of a preset in the schema of ``Preset/init(json:)``. Validates the values of
  /// the ear.
  ///
  /// - Throws: `DecodingError`, which contains the path of the invalid value and the reason.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    self = try container.validated {
      try Self(
        frequencies: try container.value([Double].self, at: .frequencies),
        inputLevels: try container.value([Double].self, at: .inputLevels),
        gains: try container.value([[Double]].self, at: .gains),
        attackTimes: try container.optionalValue([Double].self, at: .attackTimes),
        releaseTimes: try container.optionalValue([Double].self, at: .releaseTimes),
        maximumOutput: try container.optionalValue(Double.self, at: .maximumOutput)
          ?? Self.defaultMaximumOutput,
        maximumOutputs: try container.optionalValue([Double].self, at: .maximumOutputs),
        limitedGains: try container.optionalValue([LimitedGain].self, at: .limitedGains) ?? [],
        assumedThresholds: try container.optionalValue(
          [AssumedThreshold].self, at: .assumedThresholds) ?? [])
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
    try container.encodeIfPresent(maximumOutputs, forKey: .maximumOutputs)
    if !limitedGains.isEmpty { try container.encode(limitedGains, forKey: .limitedGains) }
    if !assumedThresholds.isEmpty {
      try container.encode(assumedThresholds, forKey: .assumedThresholds)
    }
  }
}

extension InvalidValue: PositionedReason {}
