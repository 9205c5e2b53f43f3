import HearingFitting

extension EarPreset {
  /// The output level in dB SPL in the band at `frequency` for a steady sound there.
  func output(at frequency: Double, inputLevel: Double) -> Double {
    min(inputLevel + gain(at: frequency, inputLevel: inputLevel), maximumOutput)
  }

  /// The input levels within `range`, in dB SPL, between which the output is a straight line over
  /// the input.
  func outputKinks(at frequency: Double, within range: ClosedRange<Double>) -> [Double] {
    let curve = curve(at: frequency)
    let bends = curve.points.map(\.inputLevel).filter(range.contains)
    let levels = Set(bends + [range.lowerBound, range.upperBound]).sorted()
    let unlimited = levels.map { $0 + gain(at: frequency, inputLevel: $0) }
    var crossings: [Double] = []
    for index in levels.indices.dropLast() {
      let (from, to) = (unlimited[index], unlimited[index + 1])
      guard (from - maximumOutput) * (to - maximumOutput) < 0 else { continue }
      let share = (maximumOutput - from) / (to - from)
      crossings.append(levels[index] + share * (levels[index + 1] - levels[index]))
    }
    return (levels + crossings).sorted()
  }
}
