public import Foundation

extension HearingProfile: Codable {
  private enum Key: String, CodingKey {
    case measuredAt, method, record, left, right, leftDiscomfort, rightDiscomfort
  }

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
  /// | key | content |
  /// |---|---|
  /// | `format`, `version` | "hearing-profile" and 1; a higher version is an error |
  /// | `measuredAt` | ISO 8601, with or without fractions of a second; a date alone means the start of that day in UTC; optional |
  /// | `method` | the method of the measurement; optional |
  /// | `record` | a ``MeasurementRecord`` of this package's hearing test; optional |
  /// | `left`, `right` | the ears; an ear that is missing or null is unknown |
  /// | `leftDiscomfort`, `rightDiscomfort` | measured discomfort levels, in the same form as `left` and `right`; optional |
  /// | `points` | 1 to 10,000 points, in any order, with unique frequencies |
  /// | `frequency` | Hz, 100 to 20,000 |
  /// | `threshold` | dB HL, -20 to 130; a threshold outside -10 to 120 is clamped, and `isClamped` is set |
  /// | `isMasked`, `isNoResponse`, `isClamped` | true or false; false if missing |
  ///
  /// Unknown keys are ignored. `Codable` uses the same schema.
  ///
  /// - Throws: ``UnreadableDocument`` for any invalid input, and for input of more than 16 MiB.
  public init(json data: Data) throws(UnreadableDocument) {
    self = try JSONDocument.read(HearingProfile.self, from: data)
  }

  /// The profile as JSON, in the schema of ``init(json:)``, with sorted keys and indentation. A
  /// flag is written only if the flag is true. Equal profiles have equal bytes.
  public func jsonData() -> Data { JSONDocument.write(self) }

  /// Decodes and validates a profile in the schema of ``init(json:)``.
  ///
  /// - Throws: `DecodingError`, which contains the path of the invalid value and the reason.
  public init(from decoder: any Decoder) throws {
    try DocumentFormat.profile.check(decoder)
    let container = try decoder.container(keyedBy: Key.self)
    let date = try container.optionalValue(String.self, at: .measuredAt)
    let seconds = date.flatMap { ISO8601Text.seconds(from: $0) }
    if let date, seconds == nil {
      throw container.failure(
        "\(date.inQuotationMarks) is not a date and time in ISO 8601", at: .measuredAt)
    }
    self.init(
      left: try container.optionalValue(Audiogram.self, at: .left),
      right: try container.optionalValue(Audiogram.self, at: .right),
      measuredAt: seconds.map { Date(timeIntervalSince1970: $0) },
      method: try container.optionalValue(MeasurementMethod.self, at: .method),
      record: try container.optionalValue(MeasurementRecord.self, at: .record),
      leftDiscomfort: try container.optionalValue(Audiogram.self, at: .leftDiscomfort),
      rightDiscomfort: try container.optionalValue(Audiogram.self, at: .rightDiscomfort))
  }

  /// Encodes the profile in the schema of ``init(json:)``.
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
    try container.encodeIfPresent(leftDiscomfort, forKey: .leftDiscomfort)
    try container.encodeIfPresent(rightDiscomfort, forKey: .rightDiscomfort)
  }
}

extension Audiogram: Codable {
  private enum Key: String, CodingKey { case points }

  /// Decodes `{"points": [{"frequency": 250, "threshold": 35}, …]}`; see
  /// ``HearingProfile/init(json:)``.
  ///
  /// - Throws: `DecodingError`, which contains the path of the invalid value and the reason.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let points = try container.value([Point].self, at: .points)
    self = try container.validated(at: .points) { try Self(importing: points) }
  }

  /// Encodes the points, in order of rising frequency.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(points, forKey: .points)
  }
}

extension Audiogram.Point: Codable {
  private enum Key: String, CodingKey {
    case frequency, threshold, isMasked, isNoResponse, isClamped
  }

  /// Decodes a point. A missing flag means false.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    self.init(
      frequency: try container.value(Double.self, at: .frequency),
      threshold: try container.value(Double.self, at: .threshold),
      isMasked: try container.optionalValue(Bool.self, at: .isMasked) ?? false,
      isNoResponse: try container.optionalValue(Bool.self, at: .isNoResponse) ?? false,
      isClamped: try container.optionalValue(Bool.self, at: .isClamped) ?? false)
  }

  /// Encodes a point. A flag is written only if the flag is true.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(frequency, forKey: .frequency)
    try container.encode(threshold, forKey: .threshold)
    if isMasked { try container.encode(true, forKey: .isMasked) }
    if isNoResponse { try container.encode(true, forKey: .isNoResponse) }
    if isClamped { try container.encode(true, forKey: .isClamped) }
  }
}
