public import HearingFitting

/// How certain measured thresholds are: each with its 90 % range.
///
///     if let record = profile.record {
///       let picture = UncertaintyPicture(profile, record: record)
///       try picture.svg.data.write(to: url)
///     }
///
/// A panel for each ear, axes as in ``AudiogramPicture``. A point where nothing was heard has a bar
/// down to the end of the axis; thresholds that were measured twice have a second, smaller symbol.
public struct UncertaintyPicture: Sendable, Equatable {
  /// The thresholds.
  public var profile: HearingProfile
  /// How certain they are.
  public var record: MeasurementRecord
  /// The text above the picture.
  public var title: String

  /// A picture of a profile and its record.
  public init(
    _ profile: HearingProfile, record: MeasurementRecord,
    title: String = "How certain the thresholds are"
  ) {
    self.profile = profile
    self.record = record
    self.title = title
  }

  /// The picture.
  public var svg: SVGPicture {
    SVGPicture(title: title, summary: summary) { canvas in
      UncertaintyDrawing(profile, record: record, layout: canvas.layout).draw(on: &canvas)
    }
  }

  private var summary: String {
    let ears = Ear.clinicalOrder.map { ear in
      let ranges = record.thresholds.filter { $0.ear == ear }.map { threshold in
        "\(threshold.frequency.readable()) Hz \(threshold.lowest.readable()) to "
          + "\(threshold.highest.readable())"
      }
      guard !ranges.isEmpty else { return "\(ear.title): not measured." }
      return "\(ear.title), 90 % ranges in dB HL: \(ranges.joined(separator: ", "))."
    }
    return ears.joined(separator: " ")
  }
}
