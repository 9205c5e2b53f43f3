extension EarPreset {
  /// Permitted frequencies: 1 Hz to 100 kHz.
  public static let frequencyRange: ClosedRange<Double> = 1...100_000
  /// Permitted input levels: -50 to 150 dB SPL.
  public static let inputLevelRange: ClosedRange<Double> = -50...150
  /// Permitted insertion gains: 0 to 60 dB.
  public static let gainRange: ClosedRange<Double> = 0...60
  /// Permitted attack and release times: 0.1 ms to 10 s.
  public static let timeRange: ClosedRange<Double> = 0.0001...10

  /// The maximum number of input levels: 1,000.
  public static let maximumLevelCount = 1000
  /// The maximum number of gains, which is the number of frequencies times the number of input
  /// levels: 100,000.
  public static let maximumGainCount = 100_000

  /// The default attack time: 5 ms.
  public static let defaultAttackTime = 0.005
  /// The default release time: 100 ms.
  public static let defaultReleaseTime = 0.1
  /// The default release time of presets from level-dependent rules: 400 ms.
  ///
  /// The value was chosen from a measurement with CAMFIT compressive and a recorded sentence at 65
  /// dB SPL. The audiograms were N2, N3, N4 and S2. Speech was presented in quiet and at a
  /// signal-to-noise ratio of +5 dB. With release times of 100, 200, 400 and 800 ms, the
  /// intelligibility (HASPI) is 0.948, 0.955, 0.961 and 0.962. The quality (HASQI) is 0.512, 0.526,
  /// 0.544 and 0.555. `Benchmarks/benefit/benefit.py --release` repeats the measurement. A shorter
  /// release time flattens the level of speech and raises the noise between words. A longer release
  /// time improves the results only a little. In addition, speech stays soft for longer after a
  /// loud sound.
  public static let compressiveReleaseTime = 0.4
  /// The default maximum output: 105 dB SPL.
  public static let defaultMaximumOutput = 105.0

  /// The upper limit of a maximum output: 111 dB SPL for a linear preset, 117 dB SPL for a
  /// level-dependent preset.
  ///
  /// Source: 21 CFR 800.30 (over-the-counter hearing aids). The regulation limits the level in a 2
  /// cm³ coupler. ``largestCouplerOutput`` is the maximum level of a preset in this coupler.
  public static func maximumOutputLimit(isLevelDependent: Bool) -> Double {
    isLevelDependent ? 117 : 111
  }

  /// The input level in dB SPL that a linear preset gets if it is created without a level. This
  /// level has no effect.
  static let linearInputLevel = 65.0

  static func validate(
    frequencies: [Double], inputLevels: [Double], gains: [[Double]]
  ) throws(Invalid) {
    guard !frequencies.isEmpty else { throw .noFrequencies }
    guard !inputLevels.isEmpty else { throw .noInputLevels }
    guard inputLevels.count <= maximumLevelCount else {
      throw .tooManyInputLevels(count: inputLevels.count)
    }
    guard frequencies.count <= maximumGainCount / inputLevels.count else {
      throw .tooManyGains(frequencies: frequencies.count, inputLevels: inputLevels.count)
    }
    for (index, value) in frequencies.enumerated() {
      guard frequencyRange.contains(value) else { throw .frequencyOutOfRange(index, value) }
      guard index == 0 || value > frequencies[index - 1] else {
        throw .frequencyNotRising(index, value)
      }
    }
    for (index, value) in inputLevels.enumerated() {
      guard inputLevelRange.contains(value) else { throw .inputLevelOutOfRange(index, value) }
      guard index == 0 || value > inputLevels[index - 1] else {
        throw .inputLevelNotRising(index, value)
      }
    }
    guard gains.count == frequencies.count else {
      throw .wrongRowCount(gains.count, expected: frequencies.count)
    }
    for (row, values) in gains.enumerated() {
      guard values.count == inputLevels.count else {
        throw .wrongGainCount(row: row, values.count, expected: inputLevels.count)
      }
      for (level, value) in values.enumerated() where !gainRange.contains(value) {
        throw .gainOutOfRange(row: row, level: level, value)
      }
    }
  }

  static func validate(
    attackTimes: [Double], releaseTimes: [Double], count: Int
  ) throws(Invalid) {
    guard attackTimes.count == count else {
      throw .wrongAttackTimeCount(attackTimes.count, expected: count)
    }
    guard releaseTimes.count == count else {
      throw .wrongReleaseTimeCount(releaseTimes.count, expected: count)
    }
    for (index, value) in attackTimes.enumerated() where !timeRange.contains(value) {
      throw .attackTimeOutOfRange(index, value)
    }
    for (index, value) in releaseTimes.enumerated() where !timeRange.contains(value) {
      throw .releaseTimeOutOfRange(index, value)
    }
  }

  static func validate(
    maximumOutputs: [Double], count: Int, isLevelDependent: Bool
  ) throws(Invalid) {
    guard maximumOutputs.count == count else {
      throw .wrongMaximumOutputCount(maximumOutputs.count, expected: count)
    }
    let limit = maximumOutputLimit(isLevelDependent: isLevelDependent)
    for (index, value) in maximumOutputs.enumerated() where !(value > 0 && value <= limit) {
      throw .bandOutputOutOfRange(index, value, limit: limit)
    }
  }

  static func validate(maximumOutput: Double, isLevelDependent: Bool) throws(Invalid) {
    let limit = maximumOutputLimit(isLevelDependent: isLevelDependent)
    guard maximumOutput > 0, maximumOutput <= limit else {
      throw .maximumOutputOutOfRange(maximumOutput, limit: limit)
    }
  }
}

extension EarPreset {
  /// The reason why values are not a valid preset for an ear. Indices count from 0.
  public enum Invalid: Error, Sendable, Equatable {
    /// There is no frequency.
    case noFrequencies
    /// There is no input level.
    case noInputLevels
    /// There are more input levels than ``EarPreset/maximumLevelCount``.
    case tooManyInputLevels(count: Int)
    /// There are more gains than ``EarPreset/maximumGainCount``.
    case tooManyGains(frequencies: Int, inputLevels: Int)
    /// A frequency in Hz is not finite or is outside ``EarPreset/frequencyRange``.
    case frequencyOutOfRange(Int, Double)
    /// A frequency in Hz is not above the previous frequency.
    case frequencyNotRising(Int, Double)
    /// An input level in dB SPL is not finite or is outside ``EarPreset/inputLevelRange``.
    case inputLevelOutOfRange(Int, Double)
    /// An input level in dB SPL is not above the previous input level.
    case inputLevelNotRising(Int, Double)
    /// The number of rows of gains differs from the number of frequencies.
    case wrongRowCount(Int, expected: Int)
    /// The number of gains in a row differs from the number of input levels.
    case wrongGainCount(row: Int, Int, expected: Int)
    /// A gain in dB is not finite or is outside ``EarPreset/gainRange``.
    case gainOutOfRange(row: Int, level: Int, Double)
    /// The number of attack times differs from the number of frequencies.
    case wrongAttackTimeCount(Int, expected: Int)
    /// The number of release times differs from the number of frequencies.
    case wrongReleaseTimeCount(Int, expected: Int)
    /// An attack time in seconds is not finite or is outside ``EarPreset/timeRange``.
    case attackTimeOutOfRange(Int, Double)
    /// A release time in seconds is not finite or is outside ``EarPreset/timeRange``.
    case releaseTimeOutOfRange(Int, Double)
    /// The maximum output in dB SPL is not above 0 or exceeds the limit.
    case maximumOutputOutOfRange(Double, limit: Double)
    /// The number of maximum outputs of bands differs from the number of frequencies.
    case wrongMaximumOutputCount(Int, expected: Int)
    /// The maximum output of a band in dB SPL is not above 0 or exceeds the limit.
    case bandOutputOutOfRange(Int, Double, limit: Double)

    /// The path of the value in the preset, such as "gains[2][5]".
    public var position: String {
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
      case .wrongMaximumOutputCount: "maximumOutputs"
      case .bandOutputOutOfRange(let index, _, _): "maximumOutputs[\(index)]"
      }
    }

    /// A description of the error, without the path.
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
        "\(value.plain) Hz is not higher than the previous frequency"
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
      case .wrongMaximumOutputCount(let count, let expected):
        "\(count) maximum outputs for \(expected) frequencies"
      case .maximumOutputOutOfRange(let value, let limit),
        .bandOutputOutOfRange(_, let value, let limit):
        "\(value.plain) dB SPL is not above 0 and at most \(limit.plain) dB SPL"
      }
    }
  }
}

extension EarPreset.Invalid: CustomStringConvertible {
  /// The error in one line, with the path and the value.
  public var description: String { "\(position): \(reason)" }
}
