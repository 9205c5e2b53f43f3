package import HearingFitting

/// A picture of measured thresholds and their uncertainty. Each threshold is drawn with the range
/// that contains it with a probability of 90 %.
///
///     if let record = profile.record {
///       let picture = UncertaintyPicture(profile, record: record)
///       try picture.svg.data.write(to: url)
///     }
///
/// There is a panel for each ear, with the same kind of axes as ``AudiogramPicture``. If the
/// listener heard nothing at a frequency, the bar extends down to the end of the axis. Thresholds
/// that were measured twice have a second, smaller symbol.
package struct UncertaintyPicture: Sendable, Equatable {
  /// The profile with the thresholds.
  package var profile: HearingProfile
  /// The record of the measurement, with the uncertainty of the thresholds.
  package var record: MeasurementRecord

  /// Creates a picture of a profile and its measurement record.
  package init(_ profile: HearingProfile, record: MeasurementRecord) {
    self.profile = profile
    self.record = record
  }

  /// The picture.
  package var svg: SVGPicture {
    SVGPicture(title: "How certain the thresholds are", summary: summary, draw: draw)
  }

  private var summary: String {
    Ear.sentences { ear in
      let ranges = record.thresholds.filter { $0.ear == ear }.map { threshold in
        "\(threshold.frequency.readable()) Hz \(threshold.lowest.readable()) to "
          + "\(threshold.highest.readable())"
      }
      guard !ranges.isEmpty else { return "\(ear.title): not measured." }
      return "\(ear.title), 90 % ranges in dB HL: \(ranges.joined(separator: ", "))."
    }
  }
}
