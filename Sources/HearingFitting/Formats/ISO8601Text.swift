import Foundation

/// Parses and formats points in time as ISO 8601 text, in the years 1583 to 9999.
///
/// Foundation's format style for ISO 8601 is not strict enough. The format style ignores any text
/// after a date, accepts days that do not exist, and truncates milliseconds instead of rounding
/// them.
package enum ISO8601Text {
  /// Parses text such as "2025-03-14T09:26:53.589Z". The seconds and the fraction of a second are
  /// optional. The time zone is Z or an offset such as +02:00 or +0200. A date without a time means
  /// the start of that day in UTC.
  ///
  /// - Returns: The seconds since 1970, rounded to the millisecond; nil for any other text.
  package static func seconds(from text: String) -> Double? {
    guard text.utf8.count <= 40 else { return nil }
    let time = text.count == 10 ? text + "T00:00:00Z" : text
    guard let zone = time.lastIndex(where: { "Z+-".contains($0) }) else { return nil }
    let parts = time[..<zone].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let hasSeconds = parts.count == 2 || parts[0].count > 16
    let fraction = parts.count == 2 ? parts[1] : "0"
    guard let local = wholeSeconds(from: parts[0] + (hasSeconds ? "Z" : ":00Z")),
      let offset = offset(from: time[zone...]), !fraction.isEmpty,
      fraction.allSatisfy({ ("0"..."9").contains($0) }), let fraction = Double("0.\(fraction)")
    else { return nil }
    let seconds = ((local - offset) * 1000 + (fraction * 1000).rounded()) / 1000
    return HearingProfile.secondsWritable.contains(seconds) ? seconds : nil
  }

  /// The text for a number of seconds since 1970, in UTC. If the number of milliseconds is 0, the
  /// text contains no milliseconds.
  package static func text(forSeconds seconds: Double) -> String {
    let milliseconds = (seconds * 1000).rounded()
    let whole = (milliseconds / 1000).rounded(.down)
    let text = Date(timeIntervalSince1970: whole).formatted(.iso8601)
    let rest = Int(milliseconds - whole * 1000)
    return rest == 0 ? text : "\(text.dropLast()).\(String(1000 + rest).dropFirst())Z"
  }

  /// Parses text of exactly the form "2025-03-14T09:26:53Z".
  private static func wholeSeconds(from text: some StringProtocol) -> Double? {
    let text = String(text)
    guard let date = try? Date(text, strategy: .iso8601), date.formatted(.iso8601) == text else {
      return nil
    }
    return date.timeIntervalSince1970
  }

  /// The offset of a time zone from UTC in seconds; positive if the local time is ahead of UTC.
  private static func offset(from zone: Substring) -> Double? {
    if zone == "Z" { return 0 }
    let (hours, minutes) = (zone.dropFirst().prefix(2), zone.suffix(2))
    guard let sign = ["+": 1.0, "-": -1.0][zone.prefix(1)],
      [hours + minutes, hours + ":" + minutes].contains(zone.dropFirst()),
      let seconds = wholeSeconds(from: "1970-01-01T\(hours):\(minutes):00Z")
    else { return nil }
    return sign * seconds
  }
}
