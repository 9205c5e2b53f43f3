public import Foundation

extension HearingProfile {
  /// Reads a profile from JSON.
  ///
  ///     {
  ///       "format": "hearing-profile",
  ///       "version": 1,
  ///       "measuredAt": "2025-03-14T09:26:53Z",
  ///       "method": "pure-tone-audiometry",
  ///       "left": {
  ///         "points": [
  ///           {"frequency": 250, "threshold": 35},
  ///           {"frequency": 4000, "threshold": 110, "isNoResponse": true}
  ///         ]
  ///       },
  ///       "right": …
  ///     }
  ///
  /// | key | what it holds |
  /// |---|---|
  /// | `format`, `version` | "hearing-profile" and 1; a higher version is an error |
  /// | `measuredAt` | ISO 8601, with or without fractions of a second; a date alone means its start in UTC; may be missing |
  /// | `method` | how it was measured; may be missing |
  /// | `record` | a ``MeasurementRecord`` of the package's own hearing test; may be missing |
  /// | `left`, `right` | the ears; missing or null: unknown |
  /// | `points` | 1 to 10,000, in any order, each frequency once |
  /// | `frequency` | Hz, 100 to 20,000 |
  /// | `threshold` | dB HL, -20 to 130; beyond -10 to 120 it is clamped and `isClamped` set |
  /// | `isMasked`, `isNoResponse`, `isClamped` | true or false; missing: false |
  ///
  /// Keys that are not known are passed over. The same schema is used by `Codable`.
  ///
  /// - Throws: ``UnreadableDocument``, for whatever the bytes may be; at most 16 MiB are read.
  public init(json data: Data) throws(UnreadableDocument) {
    self = try JSONDocument.read(HearingProfile.self, from: data)
  }

  /// The profile as JSON, in the schema that ``init(json:)`` reads: keys sorted, indented, flags
  /// only where they are set, the same bytes for equal profiles.
  public func jsonData() -> Data {
    JSONDocument.write(self)
  }
}

extension HearingProfile: Codable {
  private enum Key: String, CodingKey {
    case measuredAt
    case method
    case record
    case left
    case right
  }

  /// Reads and validates a profile in the schema described at ``init(json:)``.
  ///
  /// - Throws: `DecodingError` with the path and the reason.
  public init(from decoder: any Decoder) throws {
    try DocumentFormat.profile.check(decoder)
    let container = try decoder.container(keyedBy: Key.self)
    let date = try container.optionalValue(String.self, at: .measuredAt)
    let seconds = date.flatMap { ISO8601Text.seconds(from: $0) }
    if let date, seconds.map(Self.secondsWritable.contains) != true {
      throw DecodingError.dataCorruptedError(
        forKey: .measuredAt, in: container,
        debugDescription: "\(date.inQuotationMarks) is not a date and time in ISO 8601")
    }
    self.init(
      left: try container.optionalValue(Audiogram.self, at: .left),
      right: try container.optionalValue(Audiogram.self, at: .right),
      measuredAt: seconds.map { Date(timeIntervalSince1970: $0) },
      method: try container.optionalValue(MeasurementMethod.self, at: .method),
      record: try container.optionalValue(MeasurementRecord.self, at: .record))
  }

  /// Writes the profile in the schema described at ``init(json:)``.
  public func encode(to encoder: any Encoder) throws {
    try DocumentFormat.profile.write(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encodeIfPresent(
      measuredAt.map { ISO8601Text.text(forSeconds: $0.timeIntervalSince1970) },
      forKey: .measuredAt)
    try container.encodeIfPresent(method, forKey: .method)
    try container.encodeIfPresent(record, forKey: .record)
    try container.encodeIfPresent(left, forKey: .left)
    try container.encodeIfPresent(right, forKey: .right)
  }
}
