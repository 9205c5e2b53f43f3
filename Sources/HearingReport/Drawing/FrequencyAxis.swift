import Foundation

/// The frequency axis of a picture: at least 125 Hz to 8 kHz.
struct FrequencyAxis: Sendable, Equatable {
  /// The frequency range of an audiogram form, in Hz.
  static let clinicalRange: ClosedRange<Double> = 125...8000

  private static let octaves: [Double] = [
    31.25, 62.5, 125, 250, 500, 1000, 2000, 4000, 8000, 16_000, 32_000,
  ]
  private static let halves: [Double] = [750, 1500, 3000, 6000, 12_000]

  /// The margin at both ends, in octaves, for the symbols of the outermost points.
  private static let margin = 0.3

  /// The lowest and the highest frequency of the axis, in Hz.
  let range: ClosedRange<Double>

  /// An axis that includes all of `frequencies`.
  init(showing frequencies: [Double] = []) {
    let lowest = min(frequencies.min() ?? .infinity, Self.clinicalRange.lowerBound)
    let highest = max(frequencies.max() ?? 0, Self.clinicalRange.upperBound)
    range = lowest...highest
  }

  /// The scale over `frame`, with margins.
  func scale(over frame: Frame) -> Scale {
    let wider = range.lowerBound * exp2(-Self.margin)...range.upperBound * exp2(Self.margin)
    return Scale(.logarithmic, wider, from: frame.left, to: frame.right)
  }

  /// Grid lines with numbers at the octaves, and fine lines at the audiometric frequencies between
  /// them, with numbers on request.
  func ticks(numbersBetweenOctaves: Bool) -> [PlotPanel.Tick] {
    let octaves = Self.octaves.map { PlotPanel.Tick(value: $0, text: $0.readable()) }
    let halves = Self.halves.map {
      PlotPanel.Tick(
        value: $0, text: numbersBetweenOctaves ? $0.readable() : nil, isFine: true)
    }
    return (octaves + halves).filter { range.contains($0.value) }
  }
}
