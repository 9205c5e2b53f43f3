extension EarPreset {
  /// Why values do not make a preset for an ear; indices count from 0.
  public enum Invalid: Error, Sendable, Equatable {
    /// There is no frequency.
    case noFrequencies
    /// There is no input level.
    case noInputLevels
    /// There are more input levels than ``EarPreset/maximumLevelCount``.
    case tooManyInputLevels(count: Int)
    /// There are more gains than ``EarPreset/maximumGainCount``.
    case tooManyGains(frequencies: Int, inputLevels: Int)
    /// A frequency in Hz is not finite or lies outside ``EarPreset/frequencyRange``.
    case frequencyOutOfRange(Int, Double)
    /// A frequency in Hz is not above the one before it.
    case frequencyNotRising(Int, Double)
    /// An input level in dB SPL is not finite or lies outside ``EarPreset/inputLevelRange``.
    case inputLevelOutOfRange(Int, Double)
    /// An input level in dB SPL is not above the one before it.
    case inputLevelNotRising(Int, Double)
    /// There is not one row of gains for each frequency.
    case wrongRowCount(Int, expected: Int)
    /// A row does not hold one gain for each input level.
    case wrongGainCount(row: Int, Int, expected: Int)
    /// A gain in dB is not finite or lies outside ``EarPreset/gainRange``.
    case gainOutOfRange(row: Int, level: Int, Double)
    /// There is not one attack time for each frequency.
    case wrongAttackTimeCount(Int, expected: Int)
    /// There is not one release time for each frequency.
    case wrongReleaseTimeCount(Int, expected: Int)
    /// An attack time in seconds is not finite or lies outside ``EarPreset/timeRange``.
    case attackTimeOutOfRange(Int, Double)
    /// A release time in seconds is not finite or lies outside ``EarPreset/timeRange``.
    case releaseTimeOutOfRange(Int, Double)
    /// The maximum output in dB SPL is not above 0 or exceeds the limit.
    case maximumOutputOutOfRange(Double, limit: Double)

    /// Where the value stands in the preset, such as "gains[2][5]".
    public var place: String {
      switch self {
      case .noFrequencies, .tooManyGains: "frequencies"
      case .noInputLevels, .tooManyInputLevels: "inputLevels"
      case .frequencyOutOfRange(let index, _), .frequencyNotRising(let index, _):
        "frequencies[\(index)]"
      case .inputLevelOutOfRange(let index, _), .inputLevelNotRising(let index, _):
        "inputLevels[\(index)]"
      case .wrongRowCount: "gains"
      case .wrongGainCount(let row, _, _): "gains[\(row)]"
      case .gainOutOfRange(let row, let level, _): "gains[\(row)][\(level)]"
      case .wrongAttackTimeCount: "attackTimes"
      case .wrongReleaseTimeCount: "releaseTimes"
      case .attackTimeOutOfRange(let index, _): "attackTimes[\(index)]"
      case .releaseTimeOutOfRange(let index, _): "releaseTimes[\(index)]"
      case .maximumOutputOutOfRange: "maximumOutput"
      }
    }

    /// What is wrong there, without the place.
    public var reason: String {
      switch self {
      case .noFrequencies: "at least one frequency is needed"
      case .noInputLevels: "at least one input level is needed"
      case .tooManyInputLevels(let count):
        "\(count) input levels, but at most \(EarPreset.maximumLevelCount) are allowed"
      case .tooManyGains(let frequencies, let inputLevels):
        "\(frequencies) frequencies and \(inputLevels) input levels make more than "
          + "\(EarPreset.maximumGainCount) gains"
      case .frequencyOutOfRange(_, let value): "\(value.plain) Hz is outside 1 to 100000 Hz"
      case .frequencyNotRising(_, let value):
        "\(value.plain) Hz is not above the frequency before it"
      case .inputLevelOutOfRange(_, let value):
        "\(value.plain) dB SPL is outside -50 to 150 dB SPL"
      case .inputLevelNotRising(_, let value):
        "\(value.plain) dB SPL is not above the level before it"
      case .wrongRowCount(let count, let expected):
        "\(count) rows of gains for \(expected) frequencies"
      case .wrongGainCount(_, let count, let expected):
        "\(count) gains for \(expected) input levels"
      case .gainOutOfRange(_, _, let value): "a gain of \(value.plain) dB is outside 0 to 60 dB"
      case .wrongAttackTimeCount(let count, let expected):
        "\(count) attack times for \(expected) frequencies"
      case .wrongReleaseTimeCount(let count, let expected):
        "\(count) release times for \(expected) frequencies"
      case .attackTimeOutOfRange(_, let value), .releaseTimeOutOfRange(_, let value):
        "\(value.plain) s is outside 0.0001 to 10 s"
      case .maximumOutputOutOfRange(let value, let limit):
        "\(value.plain) dB SPL is not above 0 and at most \(limit.plain) dB SPL"
      }
    }
  }
}

extension EarPreset.Invalid: CustomStringConvertible {
  /// One line that names the place and the value.
  public var description: String { "\(place): \(reason)" }
}
