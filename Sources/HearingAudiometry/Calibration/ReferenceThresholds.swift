/// The sound pressure levels of 0 dB HL for one type of headphone on one type of coupler. The name
/// in standards is "reference equivalent threshold sound pressure levels" (RETSPL).
///
///     ReferenceThresholds.hda200.level(at: 1000)   // 5.5 dB SPL
///
/// Reference thresholds are valid only for the type of headphone and the type of coupler with which
/// they were measured. The package contains no reference thresholds of consumer headphones. For a
/// consumer headphone, an app must pass the reference thresholds to the initializer of
/// ``HeadphoneCalibration``.
///
/// The predefined reference thresholds at all eleven frequencies were compared with tables in
/// audiometer manuals and in published audiometry software.
public struct ReferenceThresholds: Sendable, Hashable, Codable {
  /// The names of the headphone and the coupler.
  public let name: String
  /// The levels of 0 dB HL, in order of rising frequency.
  package let levels: [Point]

  /// The level of 0 dB HL at one frequency.
  package struct Point: Sendable, Hashable, Codable {
    /// The frequency of the tone in Hz.
    package let frequency: Double
    /// The level of 0 dB HL, in dB SPL.
    package let level: Double
  }

  /// Creates reference thresholds. The keys are the frequencies in Hz, and the values are the
  /// levels of 0 dB HL in dB SPL. Each frequency may occur only once.
  public init(name: String, levels: KeyValuePairs<Double, Double>) {
    let points = levels.map { Point(frequency: $0.key, level: $0.value) }
    if let reason = Self.defect(of: points) { preconditionFailure(reason) }
    self.init(name: name, points: points)
  }

  private init(name: String, points: [Point]) {
    self.name = name
    levels = points.sorted { $0.frequency < $1.frequency }
  }

  private static func defect(of points: [Point]) -> String? {
    var seen: Set<Double> = []
    for point in points {
      guard point.frequency.isFinite, seen.insert(point.frequency).inserted else {
        return "\(point.frequency) Hz is not a number or occurs twice"
      }
      guard point.level.isFinite else {
        return "\(point.level) dB SPL at \(point.frequency) Hz is not a number"
      }
    }
    return nil
  }

  #if !hasFeature(Embedded)
    private enum CodingKeys: String, CodingKey {
      case name, levels
    }

    /// Reads and validates reference thresholds.
    ///
    /// - Throws: `DecodingError` with the reason.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      let points = try container.decode([Point].self, forKey: .levels)
      if let reason = Self.defect(of: points) {
        throw DecodingError.dataCorruptedError(
          forKey: .levels, in: container, debugDescription: reason)
      }
      self.init(name: try container.decode(String.self, forKey: .name), points: points)
    }
  #endif

  /// The level of 0 dB HL in dB SPL at a frequency in Hz; nil if the frequency is not listed.
  public func level(at frequency: Double) -> Double? {
    levels.first { $0.frequency == frequency }?.level
  }

  /// The reference thresholds of the headphones Sennheiser HDA 200 and RadioEar DD450, measured on
  /// an IEC 60318-1 ear simulator with an adaptor.
  ///
  /// Source: ISO 389-8:2004.
  public static let hda200 = ReferenceThresholds(
    name: "HDA 200, ISO 389-8",
    levels: [
      125: 30.5, 250: 18, 500: 11, 750: 6, 1000: 5.5, 1500: 5.5, 2000: 4.5, 3000: 2.5, 4000: 9.5,
      6000: 17, 8000: 17.5,
    ])

  /// The reference thresholds of the headphone Telephonics TDH 39 with MX-41/AR cushions, measured
  /// on an IEC 60318-3 coupler.
  ///
  /// Source: ISO 389-1:2017.
  public static let tdh39 = ReferenceThresholds(
    name: "TDH 39, ISO 389-1",
    levels: [
      125: 45, 250: 25.5, 500: 11.5, 750: 7.5, 1000: 7, 1500: 6.5, 2000: 9, 3000: 10, 4000: 9.5,
      6000: 15.5, 8000: 13,
    ])

  /// The reference thresholds of the insert earphones Etymotic ER-3A and ER-5A, measured on an IEC
  /// 60318-5 coupler.
  ///
  /// Source: ISO 389-2:1994.
  public static let insertEarphones = ReferenceThresholds(
    name: "insert earphones, ISO 389-2",
    levels: [
      125: 26, 250: 14, 500: 5.5, 750: 2, 1000: 0, 1500: 2, 2000: 3, 3000: 3.5, 4000: 5.5, 6000: 2,
      8000: 0,
    ])
}
