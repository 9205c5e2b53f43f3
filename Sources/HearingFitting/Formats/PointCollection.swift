import Foundation

/// The points of both ears as a file is read: checked one by one, so that an error names the place.
struct PointCollection {
  private struct Entry {
    let point: Audiogram.Point
    let place: String
  }

  private var entries: [Ear: [Double: Entry]] = [:]

  /// How many points there are, of both ears.
  var count: Int { entries.values.reduce(0) { $0 + $1.count } }

  /// Adds a point.
  ///
  /// A threshold somewhat beyond the permitted range is clamped and flagged. A frequency may stand
  /// twice if both say the same, as where a document repeats a value in a summary.
  mutating func add(
    _ point: Audiogram.Point, to ear: Ear, at place: String
  ) throws(UnreadableDocument) {
    let point = point.clamped()
    if let reason = Audiogram.Invalid.first(in: [point]) {
      throw .invalid(place: place, reason: reason.reason)
    }
    if let earlier = entries[ear]?[point.frequency] {
      guard earlier.point != point else { return }
      throw .invalid(
        place: place,
        reason: "\(point.frequency.plain) Hz of the \(ear.rawValue) ear stands twice: "
          + "\(point.threshold.plain) dB HL here, \(earlier.point.threshold.plain) dB HL at "
          + "\(earlier.place)\(point.threshold == earlier.point.threshold ? ", with other flags" : "")"
      )
    }
    guard entries[ear, default: [:]].count < Audiogram.maximumPointCount else {
      throw .invalid(
        place: place, reason: "more than \(Audiogram.maximumPointCount) points are not read")
    }
    entries[ear, default: [:]][point.frequency] = Entry(point: point, place: place)
  }

  /// The profile of all points; nil where there is none.
  func profile(measuredAt: Date?) -> HearingProfile? {
    guard count > 0 else { return nil }
    var profile = HearingProfile(measuredAt: measuredAt)
    for ear in Ear.allCases {
      guard let points = entries[ear]?.values.map(\.point), !points.isEmpty else { continue }
      profile[ear] = Audiogram(validated: points)
    }
    return profile
  }
}
