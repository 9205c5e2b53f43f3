import Foundation

/// The frequency axis of a picture: 125 Hz to 8 kHz, and further where there is more to show.
struct FrequencyAxis: Sendable, Equatable {
  /// The frequencies that an audiogram form always shows, in Hz.
  static let clinicalRange: ClosedRange<Double> = 125...8000

  private static let octaves: [Double] = [
    31.25, 62.5, 125, 250, 500, 1000, 2000, 4000, 8000, 16_000, 32_000,
  ]
  private static let halves: [Double] = [750, 1500, 3000, 6000, 12_000]

  /// Free room at both ends, in octaves, for the symbols of the outermost points.
  private static let margin = 0.3

  /// From the lowest to the highest frequency that is drawn, in Hz.
  let range: ClosedRange<Double>

  /// An axis on which every one of `frequencies` has a place.
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

  /// Octaves as grid lines with numbers, and what clinics measure between them as fine lines, with
  /// numbers if wanted.
  func ticks(numbersBetweenOctaves: Bool) -> [PlotPanel.Tick] {
    let octaves = Self.octaves.map { PlotPanel.Tick(value: $0, text: $0.readable()) }
    let halves = Self.halves.map {
      PlotPanel.Tick(
        value: $0, text: numbersBetweenOctaves ? $0.readable() : nil, isFine: true)
    }
    return (octaves + halves).filter { range.contains($0.value) }
  }
}
