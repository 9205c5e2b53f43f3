extension EarPreset {
  /// Frequencies that a preset may state gains at: 1 Hz to 100 kHz.
  public static let frequencyRange: ClosedRange<Double> = 1...100_000
  /// Input levels that a preset may state gains at: -50 to 150 dB SPL.
  public static let inputLevelRange: ClosedRange<Double> = -50...150
  /// Insertion gains that a preset may hold: 0 to 60 dB.
  public static let gainRange: ClosedRange<Double> = 0...60
  /// Attack and release times that a preset may hold: 0.1 ms to 10 s.
  public static let timeRange: ClosedRange<Double> = 0.0001...10

  /// The largest number of input levels: 1,000.
  public static let maximumLevelCount = 1000
  /// The largest number of gains, frequencies × input levels: 100,000.
  public static let maximumGainCount = 100_000

  /// The attack time unless told otherwise: 5 ms.
  public static let defaultAttackTime = 0.005
  /// The release time unless told otherwise: 100 ms.
  public static let defaultReleaseTime = 0.1
  /// The release time of presets by level-dependent rules, unless told otherwise: 400 ms.
  ///
  /// Measured by CAMFIT compressive on a recorded sentence at 65 dB SPL (N2, N3, N4 and S2, in quiet
  /// and at +5 dB SNR): at 100, 200, 400 and 800 ms intelligibility (HASPI) is 0.948, 0.955, 0.961
  /// and 0.962, quality (HASQI) 0.512, 0.526, 0.544 and 0.555; `Benchmarks/benefit/benefit.py`
  /// with `--release` repeats it. A gain that returns within a syllable flattens speech and lifts the
  /// noise between words; one that takes longer than this helps little more, and leaves speech soft
  /// for longer after a loud sound.
  public static let compressiveReleaseTime = 0.4
  /// The maximum output unless told otherwise: 105 dB SPL.
  public static let defaultMaximumOutput = 105.0

  /// The highest maximum output that a preset may have: 111 dB SPL for a linear preset, 117 for one
  /// whose gain depends on the level. Source: 21 CFR 800.30 (hearing aids without prescription).
  public static func maximumOutputLimit(isLevelDependent: Bool) -> Double {
    isLevelDependent ? 117 : 111
  }

  /// The one input level of linear presets made here, in dB SPL; it has no effect.
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

  static func validate(maximumOutput: Double, isLevelDependent: Bool) throws(Invalid) {
    let limit = maximumOutputLimit(isLevelDependent: isLevelDependent)
    guard maximumOutput > 0, maximumOutput <= limit else {
      throw .maximumOutputOutOfRange(maximumOutput, limit: limit)
    }
  }
}
