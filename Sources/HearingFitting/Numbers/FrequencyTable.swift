import Foundation

/// Values by frequency in Hz, joined by straight lines on the logarithm of frequency and held
/// beyond both ends.
struct FrequencyTable: Sendable, Equatable {
  /// Hz, strictly rising, above 0.
  let frequencies: [Double]
  private let line: PiecewiseLine

  init(frequencies: [Double], values: [Double]) {
    self.frequencies = frequencies
    line = PiecewiseLine(x: frequencies.map { log2($0) }, y: values)
  }

  /// The value at a frequency above 0, in Hz.
  func value(at frequency: Double) -> Double {
    precondition(frequency > 0, "a frequency of \(frequency) Hz")
    return line.value(at: log2(frequency))
  }

  /// The frequencies strictly between two of the table's where the line passes through `level`.
  func crossings(of level: Double) -> [Double] {
    line.crossings(of: level).map { exp2($0) }
  }
}
