public import Foundation
public import HearingFitting

extension HeadphoneCalibration {
  private static let format = DocumentFormat(name: "hearing-calibration", version: 1)

  /// Reads a calibration from JSON.
  ///
  ///     {
  ///       "format": "hearing-calibration", "version": 1,
  ///       "name": "HDA 200 at 80 %",
  ///       "points": [
  ///         {"frequency": 1000, "fullScaleLevel": 112, "referenceThreshold": 5.5},
  ///         {"frequency": 4000, "fullScaleLevel": 108, "referenceThreshold": 9.5}
  ///       ]
  ///     }
  ///
  /// Four keys are optional. The default values are in parentheses: `isCalibrated` (true),
  /// `hearingLevelLimit` (85 dB HL), `soundPressureLimit` (100 dB SPL) and `interauralAttenuation`
  /// (40 dB).
  ///
  /// - Throws: `UnreadableDocument` if the bytes are not a valid calibration.
  public init(json data: Data) throws(UnreadableDocument) {
    self = try JSONDocument.read(HeadphoneCalibration.self, from: data)
  }

  /// The calibration as JSON, including the optional keys.
  public func jsonData() -> Data {
    JSONDocument.write(self)
  }
}

extension HeadphoneCalibration: Codable {
  private enum Key: String, CodingKey {
    case name, isCalibrated, points, hearingLevelLimit, soundPressureLimit, interauralAttenuation
  }

  /// Reads and validates a calibration.
  ///
  /// - Throws: `DecodingError` with the reason, and with the coding path of the invalid value.
  public init(from decoder: any Decoder) throws {
    try Self.format.check(decoder)
    let container = try decoder.container(keyedBy: Key.self)
    self = try container.validated {
      try Self(
        name: container.value(String.self, at: .name),
        isCalibrated: container.optionalValue(Bool.self, at: .isCalibrated) ?? true,
        points: container.value([Point].self, at: .points),
        hearingLevelLimit: container.optionalValue(Double.self, at: .hearingLevelLimit)
          ?? Self.safeHearingLevel,
        soundPressureLimit: container.optionalValue(Double.self, at: .soundPressureLimit)
          ?? Self.safeSoundPressureLevel,
        interauralAttenuation: container.optionalValue(Double.self, at: .interauralAttenuation)
          ?? Self.standardInterauralAttenuation)
    }
  }

  /// Writes the calibration, including the optional keys.
  public func encode(to encoder: any Encoder) throws {
    try Self.format.write(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(name, forKey: .name)
    try container.encode(isCalibrated, forKey: .isCalibrated)
    try container.encode(points, forKey: .points)
    try container.encode(hearingLevelLimit, forKey: .hearingLevelLimit)
    try container.encode(soundPressureLimit, forKey: .soundPressureLimit)
    try container.encode(interauralAttenuation, forKey: .interauralAttenuation)
  }
}
