extension Preset {
  /// Creates one preset for several listeners who hear the same output, such as the sound of a
  /// television.
  ///
  ///     let preset = try Preset.shared(by: [mother, father])
  ///
  /// For each ear, frequency and input level, the shared preset has the minimum gain of all
  /// presets. Therefore no listener gets more gain than their own preset prescribes, but some
  /// listeners get less gain. If one of the presets has no gains for an ear, the listener of this
  /// preset may have normal hearing in this ear. The gain of the shared preset for this ear is then
  /// 0 dB.
  ///
  /// For each ear and band, the maximum output is the minimum of the maximum outputs in all
  /// presets. The attack time is the shortest attack time of all presets. The release time is the
  /// longest release time of all presets. The fine tuning of each preset is applied before the
  /// presets are combined.
  ///
  /// The order of the presets does not matter. The shared preset names a rule only if all presets
  /// have the same rule in the same version.
  ///
  /// - Throws: ``FittingError`` if there are no presets or if the presets have different programs.
  public static func shared(by presets: [Preset]) throws(FittingError) -> Preset {
    let presets = presets.map { $0.fineTuned }
    guard let first = presets.first else { throw .noListeners }
    for preset in presets where preset.program != first.program {
      throw .programsDiffer(first.program, preset.program)
    }
    let hasOneRule = presets.allSatisfy {
      $0.rule == first.rule && $0.ruleVersion == first.ruleVersion
    }
    do {
      return Preset(
        left: try EarPreset.shared(by: presets.map { $0.left }),
        right: try EarPreset.shared(by: presets.map { $0.right }),
        rule: hasOneRule ? first.rule : nil, ruleVersion: hasOneRule ? first.ruleVersion : nil,
        program: first.program,
        limits: presets.allSatisfy { $0.limits == first.limits } ? first.limits : nil)
    } catch { throw .preset(error) }
  }
}

extension EarPreset {
  /// Creates a preset with the minimum gain of all presets, at all frequencies and input levels
  /// that occur in any preset. Returns nil if all presets are nil.
  fileprivate static func shared(by ears: [EarPreset?]) throws(Invalid) -> EarPreset? {
    let presets = ears.compactMap { $0 }
    guard !presets.isEmpty else { return nil }
    let includesUnknown = presets.count < ears.count
    let frequencies = Set(presets.flatMap { $0.frequencies }).sorted()
    var levels = Set(presets.filter { $0.isLevelDependent }.flatMap { $0.inputLevels }).sorted()
    if levels.isEmpty { levels = [linearInputLevel] }
    // If two gain curves cross between two input levels, the slope of the minimum gain changes at
    // the crossing. To keep the interpolation error below 0.1 dB, input levels in steps of 1 dB are
    // added.
    if let first = levels.first, let last = levels.last, presets.count > 1, levels.count > 1 {
      let grid = stride(from: first.rounded(.up), through: last, by: 1)
      levels = Set(levels + Array(grid)).sorted()
    }
    // A preset from a file may be very large. Therefore the numbers of frequencies and levels are
    // checked before the gains are computed.
    try validate(frequencyCount: frequencies.count, levelCount: levels.count)
    let gains = frequencies.map { frequency in
      levels.map { level in
        let smallest = presets.map { $0.gain(at: frequency, inputLevel: level) }.min() ?? 0
        return includesUnknown ? 0 : smallest.limited(to: gainRange).roundedToMillionth
      }
    }
    let limit = maximumOutputLimit(isLevelDependent: levels.count > 1)
    let maximumOutput = min(presets.map { $0.maximumOutput }.min() ?? defaultMaximumOutput, limit)
    let hasBandOutputs = presets.contains { $0.maximumOutputs != nil }
    let curves = frequencies.map { frequency in presets.map { $0.curve(at: frequency) } }
    let outputs = curves.map { curves in
      zip(curves, presets).map { $0.maximumOutput ?? $1.maximumOutput }
        .min().map { min($0, limit).roundedToMillionth } ?? maximumOutput
    }
    return try EarPreset(
      frequencies: frequencies, inputLevels: levels, gains: gains,
      attackTimes: curves.map { $0.map { $0.attackTime }.min() ?? defaultAttackTime },
      releaseTimes: curves.map { $0.map { $0.releaseTime }.max() ?? defaultReleaseTime },
      maximumOutput: maximumOutput, maximumOutputs: hasBandOutputs ? outputs : nil)
  }
}
