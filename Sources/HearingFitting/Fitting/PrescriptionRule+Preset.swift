extension PrescriptionRule {
  private static let presetLevelStep = 5.0

  /// Creates the preset of this rule for each ear of `profile` that has an audiogram.
  ///
  /// - The preset of a linear rule has a gain at every frequency where the slope of the prescribed
  ///   gain changes. The slope can change at the audiometric frequencies, at the frequencies of the
  ///   audiogram, and at the frequencies in the tables of the rule. The audiometric frequencies are
  ///   125, 250, 500, 750 Hz, 1, 1.5, 2, 3, 4, 6 and 8 kHz. The slope also changes where the gain
  ///   reaches 0 dB or the maximum gain of 60 dB. Between two neighbouring frequencies of the
  ///   preset, the prescribed gain and the gain of the preset are linear in the logarithm of
  ///   frequency. The gain of the preset (``EarPreset/gain(at:inputLevel:)``) therefore equals the
  ///   prescribed gain at every frequency.
  /// - The preset of a level-dependent rule has gains in the bands around the audiometric
  ///   frequencies. The input levels of the preset are levels in a band. The input levels range
  ///   from 0 to 120 dB SPL in steps of 5 dB. The preset also contains the input levels where the
  ///   slope of a gain curve changes.
  ///
  /// Gains are limited to ``EarPreset/gainRange`` and rounded to a millionth of a dB. Because of
  /// the rounding, every platform creates the same preset.
  ///
  /// - Parameters:
  ///   - profile: The listener's hearing. An ear without an audiogram gets no preset.
  ///   - maximumOutput: The maximum output in dB SPL for each ear. If `maximumOutput` is nil,
  ///     `limits` determines the maximum output. If `maximumOutput` is nil and there are no limits,
  ///     the maximum output is ``EarPreset/defaultMaximumOutput``.
  ///   - attackTime: The attack time in seconds for all frequencies. Nil means the attack time of
  ///     the rule, usually 5 ms.
  ///   - releaseTime: The release time in seconds for all frequencies. Nil means the release time
  ///     of the rule, usually ``EarPreset/compressiveReleaseTime`` for a level-dependent rule. The
  ///     release time has no effect on a linear rule.
  ///   - limits: The limits. By default, there are no limits, and the preset follows the rule as
  ///     published. A ``Fitting`` uses ``FittingLimits/standard`` by default.
  /// - Throws: ``EarPreset/Invalid`` if the maximum output or a time is out of range.
  public func preset(
    for profile: HearingProfile, maximumOutput: Double? = nil, attackTime: Double? = nil,
    releaseTime: Double? = nil, limits: FittingLimits = .none
  ) throws(EarPreset.Invalid) -> Preset {
    try preset(
      for: profile, variant: .default, maximumOutput: maximumOutput, attackTime: attackTime,
      releaseTime: releaseTime, limits: limits)
  }

  /// Creates a variant of the preset. The prescribed gains in dB are first multiplied by the factor
  /// of the variant. Then the limits are applied to the products.
  ///
  /// - Parameters:
  ///   - isBroadband: Whether the preset has a single gain for all frequencies. If true, the rule
  ///     must be linear.
  ///   - assumesThresholds: Whether points without a response get an ``AssumedThreshold``.
  package func preset(
    for profile: HearingProfile, variant: PresetVariant, maximumOutput: Double? = nil,
    attackTime: Double? = nil, releaseTime: Double? = nil, limits: FittingLimits = .none,
    program: Program? = nil, isBroadband: Bool = false, assumesThresholds: Bool = false
  ) throws(EarPreset.Invalid) -> Preset {
    if let maximumOutput {
      try EarPreset.validate(maximumOutput: maximumOutput, isLevelDependent: isLevelDependent)
    }
    let attackTime = attackTime ?? self.attackTime
    let releaseTime = releaseTime ?? self.releaseTime
    try EarPreset.validate([attackTime], in: EarPreset.timeRange, unit: "s", at: "attackTimes")
    try EarPreset.validate([releaseTime], in: EarPreset.timeRange, unit: "s", at: "releaseTimes")
    let factor = variant.rawValue
    func earPreset(_ ear: Ear) throws(EarPreset.Invalid) -> EarPreset? {
      guard let measured = profile[ear] else { return nil }
      let (audiogram, assumed) =
        assumesThresholds ? AssumedThreshold.applied(to: measured) : (measured, [])
      let table =
        switch equation {
        case .linear where isBroadband: meanGain(for: audiogram, factor: factor)
        case .linear(let equation): Self.gains(of: equation, for: audiogram, factor: factor)
        case .levelDependent(let equation):
          Self.gains(of: equation, for: audiogram, factor: factor, limits: limits)
        }
      let outputs = limits.outputLimits(
        for: audiogram, discomfort: profile.discomfort(ear), maximumOutput: maximumOutput,
        isLevelDependent: isLevelDependent)
      return try EarPreset(
        frequencies: table.frequencies, inputLevels: table.inputLevels, gains: table.gains,
        attackTimes: table.frequencies.map { _ in attackTime },
        releaseTimes: table.frequencies.map { _ in releaseTime }, maximumOutput: outputs.ceiling,
        maximumOutputs: outputs.bands.map { Self.maximumOutputs($0, at: table.frequencies) },
        limitedGains: table.changes, assumedThresholds: assumed)
    }
    return Preset(
      left: try earPreset(.left), right: try earPreset(.right), rule: name, ruleVersion: version,
      program: program, limits: isLevelDependent && limits != .none ? limits : nil)
  }

  /// The maximum outputs at the frequencies of a preset, interpolated from the maximum outputs of
  /// the ``PrescriptionBands``. If a preset has one gain for all frequencies, the result contains
  /// only the minimum of `bands`.
  private static func maximumOutputs(_ bands: [Double], at frequencies: [Double]) -> [Double] {
    frequencies.count == 1
      ? [bands.min() ?? 0]
      : frequencies.map { PrescriptionBands.value(at: $0) { bands[$0] }.roundedToMillionth }
  }

  private struct GainTable {
    let frequencies: [Double]
    let inputLevels: [Double]
    let gains: [[Double]]
    var changes: [EarPreset.LimitedGain] = []
  }

  /// A table with one gain for all frequencies: the mean of the gains at the
  /// ``Audiogram/averagedFrequencies``.
  private func meanGain(for audiogram: Audiogram, factor: Double) -> GainTable {
    let mean = Audiogram.averagedFrequencies.map {
      insertionGain(for: audiogram, at: $0, inputLevel: SpeechSpectrum.overallLevel)
    }.mean
    return GainTable(
      frequencies: [1000], inputLevels: [EarPreset.linearInputLevel],
      gains: [[(mean * factor).limited(to: EarPreset.gainRange).roundedToMillionth]])
  }

  private static func gains(
    of equation: LinearEquation, for audiogram: Audiogram, factor: Double
  ) -> GainTable {
    let nodes = equation.frequencies(for: audiogram)
    let gain = equation.gain(audiogram)
    let unlimited = FrequencyTable(frequencies: nodes, values: nodes.map { factor * gain($0) })
    let limits = EarPreset.gainRange
    let kinks =
      unlimited.crossings(of: limits.lowerBound) + unlimited.crossings(of: limits.upperBound)
    let frequencies = Set(nodes + kinks.map { $0.roundedToMillionth }).sorted()
    return GainTable(
      frequencies: frequencies, inputLevels: [EarPreset.linearInputLevel],
      gains: frequencies.map { [unlimited.value(at: $0).limited(to: limits).roundedToMillionth] })
  }

  private static func gains(
    of equation: LevelDependentEquation, for audiogram: Audiogram, factor: Double,
    limits: FittingLimits
  ) -> GainTable {
    let prescribed = PrescriptionBands.centers.indices.map {
      equation.bandCurve(audiogram, $0).scaled(by: factor)
    }
    let limited = limits.applied(to: prescribed, audiogram: audiogram, factor: factor)
    let gainRange = EarPreset.gainRange
    let range = LevelDependentEquation.presetLevelRange
    let kinks = limited.curves.flatMap { $0.x + $0.crossings(of: gainRange.upperBound) }
    let steps = Array(
      stride(from: range.lowerBound, through: range.upperBound, by: presetLevelStep))
    let levels = Set(steps + kinks.filter(range.contains).map { $0.roundedToMillionth }).sorted()
    return GainTable(
      frequencies: PrescriptionBands.centers, inputLevels: levels,
      gains: limited.curves.map { curve in
        levels.map { curve.value(at: $0).limited(to: gainRange).roundedToMillionth }
      },
      changes: limited.changes)
  }
}

/// The prescribed preset, or a variant with more or less gain. The raw value is the factor by which
/// the prescribed gains in dB are multiplied, before the limits are applied.
package enum PresetVariant: Double, Sendable, CaseIterable {
  /// A preset with more gain than prescribed.
  case up = 1.25
  /// A preset with the prescribed gain.
  case `default` = 1
  /// A preset with less gain than prescribed.
  case down = 0.75
}
