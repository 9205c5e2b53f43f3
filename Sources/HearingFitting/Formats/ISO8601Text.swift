/// Parses and formats points in time as ISO 8601 text, in the years 1 to 9999 of the Gregorian
/// calendar.
///
/// Foundation's format style is not used for three reasons. The format style ignores any text after
/// a date, it truncates milliseconds instead of rounding, and it uses the Julian calendar for years
/// before 1583.
package enum ISO8601Text {
  /// Parses text such as "2025-03-14T09:26:53.589Z". The text may omit the fraction of a second, or
  /// the seconds. The zone is Z or an offset such as +02:00 or +0200. A date without a time means
  /// the start of that day in UTC.
  ///
  /// - Returns: The seconds since 1970, rounded to the millisecond; nil for any other text.
  package static func seconds(from text: String) -> Double? {
    var rest = Substring(text)
    guard text.utf8.count <= 40, let year = number(&rest, digits: 4), year >= 1, skip("-", &rest),
      let month = number(&rest, digits: 2), (1...12).contains(month), skip("-", &rest),
      let day = number(&rest, digits: 2), day >= 1, day <= length(ofMonth: month, year: year)
    else { return nil }
    let midnight = 86_400_000 * daysSince1970(year: year, month: month, day: day)
    if rest.isEmpty { return Double(midnight) / 1000 }
    guard skip("T", &rest), let time = milliseconds(&rest), let offset = offset(&rest),
      rest.isEmpty
    else { return nil }
    return Double(midnight + time - offset) / 1000
  }

  /// The text for a number of seconds since 1970, in UTC. Milliseconds are written only if they are
  /// not 0.
  package static func text(forSeconds seconds: Double) -> String {
    let all = Int((seconds * 1000).rounded())
    let days = Int((Double(all) / 86_400_000).rounded(.down))
    let time = all - days * 86_400_000
    let (year, month, day) = date(daysSince1970: days)
    var text = "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T"
    text += "\(padded(time / 3_600_000, 2)):\(padded(time / 60_000 % 60, 2))"
    text += ":\(padded(time / 1000 % 60, 2))"
    if time % 1000 != 0 { text += ".\(padded(time % 1000, 3))" }
    return text + "Z"
  }

  private static func milliseconds(_ rest: inout Substring) -> Int? {
    guard let hour = number(&rest, digits: 2), hour < 24, skip(":", &rest),
      let minute = number(&rest, digits: 2), minute < 60
    else { return nil }
    let wholeMinutes = 60_000 * (60 * hour + minute)
    guard skip(":", &rest) else { return wholeMinutes }
    guard let second = number(&rest, digits: 2), second < 60 else { return nil }
    guard skip(".", &rest) else { return wholeMinutes + 1000 * second }
    let digits = rest.prefix { ("0"..."9").contains($0) }
    guard let fraction = Double("0.\(digits)"), !digits.isEmpty else { return nil }
    rest = rest.dropFirst(digits.count)
    return wholeMinutes + 1000 * second + Int((1000 * fraction).rounded())
  }

  /// The offset of the zone from UTC in milliseconds; positive if ahead of UTC.
  private static func offset(_ rest: inout Substring) -> Int? {
    if skip("Z", &rest) { return 0 }
    let isAhead = skip("+", &rest)
    guard isAhead || skip("-", &rest), let hour = number(&rest, digits: 2), hour < 24 else {
      return nil
    }
    _ = skip(":", &rest)
    guard let minute = number(&rest, digits: 2), minute < 60 else { return nil }
    return (isAhead ? 60_000 : -60_000) * (60 * hour + minute)
  }

  private static func skip(_ character: Character, _ rest: inout Substring) -> Bool {
    guard rest.first == character else { return false }
    rest.removeFirst()
    return true
  }

  private static func number(_ rest: inout Substring, digits: Int) -> Int? {
    let text = rest.prefix(digits)
    guard text.count == digits, text.allSatisfy({ ("0"..."9").contains($0) }) else { return nil }
    rest = rest.dropFirst(digits)
    return Int(text)
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = "\(number)"
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  private static func isLeap(_ year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  private static func length(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  private static func daysBefore(year: Int) -> Int {
    let past = year - 1
    return 365 * past + past / 4 - past / 100 + past / 400
  }

  private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
    let months = (1..<month).reduce(0) { $0 + length(ofMonth: $1, year: year) }
    return daysBefore(year: year) - daysBefore(year: 1970) + months + day - 1
  }

  private static func date(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
    let all = days + daysBefore(year: 1970)
    var year = all / 366 + 1
    while daysBefore(year: year + 1) <= all { year += 1 }
    var rest = all - daysBefore(year: year)
    var month = 1
    while rest >= length(ofMonth: month, year: year) {
      rest -= length(ofMonth: month, year: year)
      month += 1
    }
    return (year, month, rest + 1)
  }
}
