import HearingFitting

/// The frequencies and levels that pictures and tables of a preset show.
enum PlottedValues {
  /// The input levels in dB SPL, each in the band around a frequency.
  static let inputLevels: [Double] = [50, 65, 80]

  /// The column headings for ``inputLevels``.
  static let inputLevelTitles = inputLevels.map { $0.readable() }

  /// The frequencies in Hz at which a curve has symbols.
  static let frequencies: [Double] = [
    125, 250, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000, 8000,
  ]

  /// The range of input levels and output levels, in dB SPL.
  static let levels: ClosedRange<Double> = 0...120
}

extension EarPreset {
  /// The gains in dB for soft, average and loud sounds. The maximum output limits the gains.
  func plottedGains(at frequency: Double) -> [Double] {
    PlottedValues.inputLevels.map { toneGain(at: frequency, inputLevel: $0) }
  }

  /// The input levels in dB SPL for which a picture shows a curve of the gain. A linear preset has
  /// one curve for the level −∞, at which the maximum output does not limit the gain.
  var plottedLevels: [Double] { isLevelDependent ? PlottedValues.inputLevels : [-.infinity] }

  /// The input levels in dB SPL, within `range`, at which the slope of the output level may change.
  /// The result also contains both ends of `range`. Between two neighbouring levels of the result,
  /// the output level is a linear function of the input level.
  func outputKinks(at frequency: Double, within range: ClosedRange<Double>) -> [Double] {
    let bends = curve(at: frequency).points.map(\.inputLevel).filter(range.contains)
    let levels = Set(bends + [range.lowerBound, range.upperBound]).sorted()
    let maximum = largestOutput(at: frequency, in: .freeField)
    let crossings = zip(levels, levels.dropFirst()).compactMap { low, high -> Double? in
      let from = low + gain(at: frequency, inputLevel: low)
      let to = high + gain(at: frequency, inputLevel: high)
      guard (from - maximum) * (to - maximum) < 0 else { return nil }
      return low + (maximum - from) / (to - from) * (high - low)
    }
    return (levels + crossings).sorted()
  }
}
