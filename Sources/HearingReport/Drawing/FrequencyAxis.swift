import Foundation

/// The frequency axis of a picture. The axis covers at least 125 Hz to 8 kHz.
struct FrequencyAxis: Sendable, Equatable {
  /// The frequency range in Hz of a standard audiogram form.
  static let clinicalRange: ClosedRange<Double> = 125...8000

  /// The octave frequencies in Hz: 1 kHz, and frequencies at distances of whole octaves from 1 kHz.
  static let octaves: [Double] = [
    31.25, 62.5, 125, 250, 500, 1000, 2000, 4000, 8000, 16_000, 32_000,
  ]
  private static let halves: [Double] = [750, 1500, 3000, 6000, 12_000]

  /// The margin at both ends of the axis, in octaves. The margin leaves space for the symbols of
  /// the outermost points.
  private static let margin = 0.3

  /// The frequency range of the axis, in Hz.
  let range: ClosedRange<Double>

  /// Creates an axis that includes all `frequencies`.
  init(showing frequencies: [Double] = []) {
    let minimum = min(frequencies.min() ?? .infinity, Self.clinicalRange.lowerBound)
    let maximum = max(frequencies.max() ?? 0, Self.clinicalRange.upperBound)
    range = minimum...maximum
  }

  /// The scale that maps frequencies to positions in `frame`, with margins.
  func scale(over frame: Frame) -> Scale {
    let wider = range.lowerBound * exp2(-Self.margin)...range.upperBound * exp2(Self.margin)
    return Scale(values: wider, start: frame.left, end: frame.right, isLogarithmic: true)
  }

  /// Returns grid lines at the octave frequencies, and fine grid lines at the audiometric
  /// frequencies between two octave frequencies. Usually, all lines at the octave frequencies have
  /// numbers. If `numbersBetweenOctaves` is true, the fine grid lines also have numbers. If the
  /// numbers do not fit into the width of `frame`, only every second line has a number. The line at
  /// 1 kHz always has a number.
  func ticks(numbersBetweenOctaves: Bool, over frame: Frame) -> [PlotPanel.Tick] {
    let scale = scale(over: frame)
    let half = { (frequency: Double) in 0.5 * TextExtent.width(of: frequency.readable()) + 2 }
    return [Self.octaves, Self.halves].flatMap { frequencies in
      let isFine = frequencies == Self.halves
      let shown = frequencies.filter(range.contains)
      let isCrowded = zip(shown, shown.dropFirst()).contains { low, high in
        scale.position(of: high) - scale.position(of: low) < half(low) + half(high)
      }
      return shown.map { frequency in
        let octaves = Int(log2(frequency / 1000).rounded(.down))
        let isNumbered =
          (numbersBetweenOctaves || !isFine) && (!isCrowded || octaves.isMultiple(of: 2))
        return PlotPanel.Tick(
          value: frequency, text: isNumbered ? frequency.readable() : nil, isFine: isFine)
      }
    }
  }
}
