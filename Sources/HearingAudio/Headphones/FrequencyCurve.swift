package import HearingFitting

/// Levels or gains in dB as a function of frequency, such as the measured response of a headphone.
///
/// Between two points, the level is interpolated linearly over the logarithm of the frequency.
/// Below the first point and above the last point, the curve is constant.
///
/// `HeadphoneCorrection.fitted(to:)` computes a correction that changes a measured curve to a
/// target curve.
public struct FrequencyCurve: Sendable, Equatable {
  /// The points of the curve: frequencies in Hz, and levels or gains in dB.
  package let table: FrequencyTable

  /// Creates a curve with 1…20,000 points.
  ///
  /// - Parameters:
  ///   - frequencies: Frequencies in Hz, above 0 and increasing.
  ///   - levels: The level or gain in dB at each frequency, within ±300 dB. There must be as many
  ///     levels as frequencies.
  /// - Throws: ``EqualizerError/pointCountOutOfRange(_:)``,
  ///   ``EqualizerError/pointOutOfRange(index:frequency:level:)`` or
  ///   ``EqualizerError/frequencyNotRising(index:frequency:)``.
  public init(frequencies: [Double], levels: [Double]) throws(EqualizerError) {
    precondition(
      frequencies.count == levels.count,
      "\(levels.count) levels at \(frequencies.count) frequencies")
    guard (1...20_000).contains(frequencies.count) else {
      throw .pointCountOutOfRange(frequencies.count)
    }
    for (index, frequency) in frequencies.enumerated() {
      guard frequency > 0, frequency.isFinite, abs(levels[index]) <= 300 else {
        throw .pointOutOfRange(index: index, frequency: frequency, level: levels[index])
      }
      guard index == 0 || frequency > frequencies[index - 1] else {
        throw .frequencyNotRising(index: index, frequency: frequency)
      }
    }
    table = FrequencyTable(frequencies: frequencies, values: levels)
  }

  /// Creates a curve from a table of valid points, without a check.
  init(_ table: FrequencyTable) { self.table = table }

  /// A curve with 0 dB at all frequencies.
  public static let flat = FrequencyCurve(FrequencyTable(frequencies: [1_000], values: [0]))

  /// The level in dB at `frequency` Hz.
  public func level(at frequency: Double) -> Double {
    table.value(at: max(.leastNormalMagnitude, frequency))
  }
}
