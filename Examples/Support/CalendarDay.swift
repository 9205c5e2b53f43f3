public import Foundation

/// A day of the calendar, as one writes it on a command line: 2025-03-14.
public struct CalendarDay: Sendable, Hashable {
  /// Such as 2025.
  public let year: Int
  /// 1 to 12.
  public let month: Int
  /// 1 to 31.
  public let day: Int

  /// Reads `YYYY-MM-DD`, digits and hyphens only; nil where there is no such day.
  public init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    let isWellFormed =
      parts.map(\.count) == [4, 2, 2]
      && parts.allSatisfy {
        $0.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      }
    let numbers = parts.compactMap { Int($0) }
    guard isWellFormed, numbers.count == 3 else { return nil }
    (year, month, day) = (numbers[0], numbers[1], numbers[2])
    let lengths = [31, Self.isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard year >= 1, (1...12).contains(month), (1...lengths[month - 1]).contains(day) else {
      return nil
    }
  }

  /// The day in UTC of a moment.
  public init?(_ date: Date) {
    self.init(date.formatted(.iso8601.year().month().day()))
  }

  private static func isLeap(_ year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }
}

extension CalendarDay: CustomStringConvertible {
  /// `YYYY-MM-DD`.
  public var description: String {
    let digits = [(year, 4), (month, 2), (day, 2)].map { number, width in
      String(repeating: "0", count: max(0, width - "\(number)".count)) + "\(number)"
    }
    return digits.joined(separator: "-")
  }
}
