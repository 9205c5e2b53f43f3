import ExampleSupport
import Foundation
import HearingDSP

/// A CSV table of input levels and gains over time. It has one line for every 10 ms of sound.
///
/// During rendering, the table is a temporary file. ``commit()`` moves the complete file to its
/// path.
final class LevelTrace {
  private let file: StagedFile
  private var line = ""
  private var buffer = Data()
  private static let bufferSize = 1 << 16

  /// Creates the temporary file and writes the headings.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - centers: The centre frequencies of the bands in Hz.
  init(path: String, centers: [Double]) throws(CommandFailure) {
    file = try StagedFile(for: path)
    var headings = ["time_s"]
    for ear in ["left", "right"] {
      for center in centers {
        let band = "\(ear)_\(Int(center.rounded()))hz"
        headings += ["\(band)_input_dbspl", "\(band)_gain_db"]
      }
    }
    buffer.append(contentsOf: (headings.joined(separator: ",") + "\n").utf8)
    // If the file cannot be written, the error must occur before rendering begins.
    try flush()
  }

  /// Adds a line.
  ///
  /// - Parameters:
  ///   - seconds: The time in seconds since the start of the sound.
  ///   - inputs: The input levels in dB SPL of each channel, for each band.
  ///   - gains: The gains in dB of each channel, for each band.
  func add(seconds: Double, inputs: [[Double]], gains: [[Double]]) throws(CommandFailure) {
    line.removeAll(keepingCapacity: true)
    append(seconds)
    for (inputs, gains) in zip(inputs, gains) {
      for (input, gain) in zip(inputs, gains) {
        line += ","
        append(input)
        line += ","
        append(gain)
      }
    }
    line += "\n"
    buffer.append(contentsOf: line.utf8)
    if buffer.count >= Self.bufferSize { try flush() }
  }

  /// Moves the complete file to its path. Call ``flush()`` first.
  func commit() throws(CommandFailure) {
    try file.commit()
  }

  /// Writes the buffered lines to the temporary file.
  func flush() throws(CommandFailure) {
    try file.append(buffer)
    buffer.removeAll(keepingCapacity: true)
  }

  /// Appends a number with two decimals. The text is the same in every locale.
  private func append(_ value: Double) {
    let hundredths = Int((value * 100).rounded())
    let (whole, rest) = hundredths.magnitude.quotientAndRemainder(dividingBy: 100)
    if hundredths < 0 { line += "-" }
    line += "\(whole)."
    if rest < 10 { line += "0" }
    line += "\(rest)"
  }
}
