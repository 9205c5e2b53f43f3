extension EarPreset: Codable {
  private enum Key: String, CodingKey {
    case frequencies
    case inputLevels
    case gains
    case attackTimes
    case releaseTimes
    case maximumOutput
  }

  /// Reads one ear of a preset, as described at ``Preset/init(json:)``, and validates it as
  /// ``init(frequencies:inputLevels:gains:attackTimes:releaseTimes:maximumOutput:)`` does.
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

  /// Writes everything, the defaults too.
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
