import Foundation

/// A hearing measurement that was read from a file.
///
///     for found in try HearingProfile.all(contentsOf: url) {
///       print(found.day?.description ?? "undated", found.position)
///     }
public struct ImportedProfile: Sendable, Equatable {
  /// The hearing of the listener. The audiogram of at least one ear is known.
  public internal(set) var profile: HearingProfile
  /// The local day of the measurement, as written in the file; nil if the file contains no date.
  public let day: CalendarDay?
  /// The position of the measurement in the file, such as "line 812" or "entry[3].resource". The
  /// position is empty if the file contains only this measurement.
  public let position: String
  /// Notes about assumptions of the parser and about unusual content of the file. For example, a
  /// note reports a missing header or a preliminary result. Each note is one sentence.
  public internal(set) var notes: [String] = []
}

/// Collects the points of both ears while a file is read. Each point is validated when the point is
/// added. An error therefore contains the position of the invalid point.
struct PointCollection {
  private var entries: [Ear: [Double: (point: Audiogram.Point, position: String)]] = [:]
  /// Notes about clamped thresholds, one sentence each.
  private(set) var notes: [String] = []

  /// Adds a point.
  ///
  /// If a threshold is outside ``Audiogram/thresholdRange`` but within
  /// ``Audiogram/importedThresholdRange``, the threshold is clamped and flagged. A note reports the
  /// clamping. A document may repeat a point in a summary. Therefore a frequency may occur twice,
  /// but only with the same threshold and the same flags.
  mutating func add(
    _ point: Audiogram.Point, to ear: Ear, at position: String
  ) throws(UnreadableDocument) {
    let measured = point.threshold
    let point = point.clamped()
    if let reason = Audiogram.Invalid.first(in: [point]) {
      throw .invalid(position: position, reason: reason.reason)
    }
    if let earlier = entries[ear]?[point.frequency] {
      guard earlier.point != point else { return }
      throw .invalid(
        position: position,
        reason: "\(point.frequency.plain) Hz of the \(ear.rawValue) ear occurs twice: "
          + "\(point.threshold.plain) dB HL here, \(earlier.point.threshold.plain) dB HL at "
          + "\(earlier.position)\(point.threshold == earlier.point.threshold ? ", with different flags" : "")"
      )
    }
    guard entries[ear, default: [:]].count < Audiogram.maximumPointCount else {
      throw .invalid(
        position: position, reason: "more than \(Audiogram.maximumPointCount) points are not read")
    }
    entries[ear, default: [:]][point.frequency] = (point, position)
    guard measured != point.threshold else { return }
    notes.append(
      "\(point.frequency.plain) Hz, \(ear.rawValue) ear: \(measured.plain) dB HL is changed to "
        + "\(point.threshold.plain) dB HL")
  }

  /// The measurement with all added points; nil if no point was added.
  func measurement(at time: MeasurementTime?, position: String) -> ImportedProfile? {
    guard !entries.isEmpty else { return nil }
    var profile = HearingProfile(measuredAt: time?.date)
    for (ear, entries) in entries {
      profile[ear] = Audiogram(validated: entries.values.map(\.point))
    }
    return ImportedProfile(profile: profile, day: time?.day, position: position, notes: notes)
  }
}
