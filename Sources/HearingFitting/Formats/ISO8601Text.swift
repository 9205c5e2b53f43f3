import Foundation

/// Points in time as ISO 8601 text.
enum ISO8601Text {
  /// Reads a date and time with a zone, with or without fractions of a second, or a date alone (its
  /// start in UTC); nil for anything else.
  static func date(from text: String) -> Date? {
    guard text.utf8.count <= 40 else { return nil }
    let time = Date.ISO8601FormatStyle()
    let fraction = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    let day = Date.ISO8601FormatStyle().year().month().day()
    for style in [time, fraction, day] {
      if let date = try? style.parse(text) { return date }
    }
    return nil
  }

  /// The time in UTC; fractions of a second, in milliseconds, only where there are any.
  static func text(for date: Date) -> String {
    let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
    let hasFraction = milliseconds.truncatingRemainder(dividingBy: 1000) != 0
    return date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: hasFraction))
  }
}
