import Foundation

extension Date {
  /// The day in UTC as ISO 8601 writes it, such as "2025-03-14", in every locale.
  var isoDay: String {
    formatted(.iso8601.year().month().day())
  }

  /// The day in UTC as one writes it in English, such as "14 March 2025".
  var englishDay: String {
    let parts = isoDay.split(separator: "-").compactMap { Int($0) }
    guard parts.count == 3, Self.months.indices.contains(parts[1] - 1) else { return isoDay }
    return "\(parts[2]) \(Self.months[parts[1] - 1]) \(parts[0])"
  }

  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]
}
