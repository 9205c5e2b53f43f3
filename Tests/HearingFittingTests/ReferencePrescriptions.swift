import Foundation
import XCTest

/// Reference gains from the file `Resources/prescriptions.json`. The file names the source of each
/// gain.
struct ReferencePrescriptions {
  struct Listener {
    var thresholds: [Double]
    /// The gains in dB. The keys are the names of columns, and each element of an array belongs to
    /// one frequency. If a rule is level-dependent, the name contains the level, such as "fig6@65".
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
