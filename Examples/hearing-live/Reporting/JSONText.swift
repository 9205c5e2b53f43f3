import Foundation

/// JSON on one line, its keys in order.
enum JSONText {
  /// What `JSONSerialization` takes, as text.
  static func line(_ object: [String: Any]) -> String {
    let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? JSONSerialization.data(withJSONObject: object, options: options) else {
      preconditionFailure("\(object.keys.sorted()) is no JSON")
    }
    return String(decoding: data, as: UTF8.self)
  }

  /// A level rounded to a tenth of a dB; null where there is none.
  static func level(_ decibels: Double) -> Any {
    decibels.isFinite ? (decibels * 10).rounded() / 10 : NSNull()
  }
}
