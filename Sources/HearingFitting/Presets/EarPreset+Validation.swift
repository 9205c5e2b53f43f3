extension EarPreset {
  /// The permitted frequencies: 1 Hz to 100 kHz.
  public static let frequencyRange: ClosedRange<Double> = 1...100_000
  /// The permitted input levels: -50 to 150 dB SPL.
  public static let inputLevelRange: ClosedRange<Double> = -50...150
  /// The permitted insertion gains: 0 to 60 dB.
  public static let gainRange: ClosedRange<Double> = 0...60
  /// The permitted attack and release times: 0.1 ms to 10 s.
  public static let timeRange: ClosedRange<Double> = 0.0001...10

  /// The maximum number of input levels: 1,000.
  public static let maximumLevelCount = 1000
  /// The maximum number of gains: 100,000. The number of gains is the number of frequencies times
  /// the number of input levels.
  public static let maximumGainCount = 100_000

  /// The default attack time: 5 ms.
  public static let defaultAttackTime = 0.005
  /// The default release time: 100 ms.
  public static let defaultReleaseTime = 0.1
  /// The default release time of presets from level-dependent rules: 400 ms.
  ///
  /// The release time of 400 ms was chosen from a measurement with CAMFIT compressive and the
  /// audiograms N2, N3, N4 and S2. A recorded sentence at 65 dB SPL was presented in quiet and at a
  /// signal-to-noise ratio of +5 dB. The results are the predicted intelligibility (HASPI) and the
  /// predicted quality (HASQI), both on a scale from 0 to 1:
  ///
  /// - release time 100 ms: HASPI 0.948, HASQI 0.512
  /// - release time 200 ms: HASPI 0.955, HASQI 0.526
  /// - release time 400 ms: HASPI 0.961, HASQI 0.544
  /// - release time 800 ms: HASPI 0.962, HASQI 0.555
  ///
  /// A shorter release time reduces the level differences within speech and raises the noise
  /// between words. A release time above 400 ms improves HASPI and HASQI only slightly, but speech
  /// stays soft for longer after a loud sound. The command for the measurement is
  /// `Benchmarks/benefit/benefit.py --release`.
  public static let compressiveReleaseTime = 0.4
  /// The default maximum output: 105 dB SPL.
  public static let defaultMaximumOutput = 105.0

  /// The upper limit of a maximum output: 111 dB SPL for a linear preset, 117 dB SPL for a
  /// level-dependent preset.
  ///
  /// Source: 21 CFR 800.30 (over-the-counter hearing aids). 21 CFR 800.30 limits the level in a 2
  /// cm³ coupler. ``largestCouplerOutput`` is the maximum level of a preset in a 2 cm³ coupler.
  public static func maximumOutputLimit(isLevelDependent: Bool) -> Double {
    isLevelDependent ? 117 : 111
  }

  /// The default input level of a linear preset in dB SPL. The input level of a linear preset has
  /// no effect on the gain.
  static let linearInputLevel = 65.0

  /// Validates all values of the preset.
  func validate() throws(Invalid) {
    let count = frequencies.count
    for (name, list) in [("frequencies", frequencies), ("inputLevels", inputLevels)]
    where list.isEmpty {
      throw Invalid(position: name, reason: "at least one value is needed")
    }
    try Self.validate(frequencyCount: count, levelCount: inputLevels.count)
    try Self.validate(
      frequencies, in: Self.frequencyRange, unit: "Hz", isRising: true, at: "frequencies")
    try Self.validate(
      inputLevels, in: Self.inputLevelRange, unit: "dB SPL", isRising: true, at: "inputLevels")
    let lists = [
      ("gains", gains.count), ("attackTimes", attackTimes.count),
      ("releaseTimes", releaseTimes.count), ("maximumOutputs", maximumOutputs?.count ?? count),
    ]
    for (name, listCount) in lists where listCount != count {
      throw Invalid(position: name, reason: "\(listCount) entries for \(count) frequencies")
    }
    for (row, gains) in gains.enumerated() {
      guard gains.count == inputLevels.count else {
        throw Invalid(
          position: "gains[\(row)]",
          reason: "\(gains.count) gains for \(inputLevels.count) input levels")
      }
      try Self.validate(gains, in: Self.gainRange, unit: "dB", at: "gains[\(row)]")
    }
    try Self.validate(attackTimes, in: Self.timeRange, unit: "s", at: "attackTimes")
    try Self.validate(releaseTimes, in: Self.timeRange, unit: "s", at: "releaseTimes")
    try Self.validate(maximumOutput: maximumOutput, isLevelDependent: isLevelDependent)
    for (index, value) in (maximumOutputs ?? []).enumerated() {
      try Self.validate(
        maximumOutput: value, isLevelDependent: isLevelDependent, at: "maximumOutputs[\(index)]")
    }
  }

  /// Checks that a preset does not have too many input levels or gains.
  static func validate(frequencyCount: Int, levelCount: Int) throws(Invalid) {
    guard levelCount <= maximumLevelCount else {
      throw Invalid(
        position: "inputLevels",
        reason: "\(levelCount) input levels, but at most \(maximumLevelCount) are allowed")
    }
    guard frequencyCount <= maximumGainCount / levelCount else {
      throw Invalid(
        position: "frequencies",
        reason: "\(frequencyCount) frequencies and \(levelCount) input levels make more than "
          + "\(maximumGainCount) gains")
    }
  }

  static func validate(
    maximumOutput: Double, isLevelDependent: Bool,
    at position: @autoclosure () -> String = "maximumOutput"
  ) throws(Invalid) {
    let limit = maximumOutputLimit(isLevelDependent: isLevelDependent)
    guard maximumOutput > 0, maximumOutput <= limit else {
      throw Invalid(
        position: position(),
        reason: "\(maximumOutput.plain) dB SPL is not above 0 and at most \(limit.plain) dB SPL")
    }
  }

  static func validate(
    _ values: [Double], in range: ClosedRange<Double>, unit: String, isRising: Bool = false,
    at position: @autoclosure () -> String
  ) throws(Invalid) {
    for (index, value) in values.enumerated() {
      try Invalid.check(value, in: range, at: "\(position())[\(index)]", unit: " \(unit)")
      guard !isRising || index == 0 || value > values[index - 1] else {
        throw Invalid(
          position: "\(position())[\(index)]",
          reason: "\(value.plain) \(unit) is not above the value before it")
      }
    }
  }

  /// The error for values that are not a valid preset.
  public typealias Invalid = InvalidValue
}
