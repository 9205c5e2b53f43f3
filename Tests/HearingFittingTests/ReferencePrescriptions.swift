import Foundation
import XCTest

/// The reference gains in `Resources/prescriptions.json`. This file names the source of each gain.
struct ReferencePrescriptions {
  struct Listener {
    var thresholds: [Double]
    /// Gains in dB by column and frequency. For level-dependent rules, the name of a column
    /// contains the level, such as "fig6@65".
    var gains: [String: [Double]]
  }

  var frequencies: [Double]
  var audiograms: [String: Listener]

  static func load() throws -> ReferencePrescriptions {
    let url = try XCTUnwrap(
      Bundle.module.url(
        forResource: "prescriptions", withExtension: "json", subdirectory: "Resources"))
    let root = try XCTUnwrap(
      JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any])
    var audiograms: [String: Listener] = [:]
    for (name, value) in try XCTUnwrap(root["audiograms"] as? [String: [String: Any]]) {
      var gains: [String: [Double]] = [:]
      for (column, values) in try XCTUnwrap(value["gains"] as? [String: Any]) {
        if let values = values as? [Double] {
          gains[column] = values
        } else {
          for (level, row) in try XCTUnwrap(values as? [String: [Double]]) {
            gains["\(column)@\(level)"] = row
          }
        }
      }
      let thresholds = try XCTUnwrap(value["thresholds_native"] as? [Double])
      audiograms[name] = Listener(thresholds: thresholds, gains: gains)
    }
    let frequencies = try XCTUnwrap(root["frequencies_hz"] as? [Double])
    return ReferencePrescriptions(frequencies: frequencies, audiograms: audiograms)
  }
}
