extension MeasurementRecord: Codable {
  private enum Key: String, CodingKey {
    case procedure, headphone, toneCount, thresholds, repeats, silenceCount, falseAlarmCount, notes
  }

  /// The maximum of each count in a record, such as the number of thresholds, notes or tones. The
  /// maximum is large enough for two audiograms of the maximum size.
  private static let maximumCount = 2 * Audiogram.maximumPointCount

  /// Reads a record. All keys except `procedure` are optional. A number outside the permitted range
  /// is an error.
  ///
  /// - Throws: `DecodingError`, which contains the path of the invalid value and the reason.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    self.init(
      procedure: try container.value(String.self, at: .procedure),
      headphone: try container.optionalValue(String.self, at: .headphone) ?? "",
      toneCount: try container.optionalValue(Int.self, at: .toneCount) ?? 0,
      thresholds: try container.optionalValue([Threshold].self, at: .thresholds) ?? [],
      repeats: try container.optionalValue([Repeat].self, at: .repeats) ?? [],
      silenceCount: try container.optionalValue(Int.self, at: .silenceCount) ?? 0,
      falseAlarmCount: try container.optionalValue(Int.self, at: .falseAlarmCount) ?? 0,
      notes: try container.optionalValue([Note].self, at: .notes) ?? [])
    let counts = [
      (Key.thresholds, thresholds.count), (.repeats, repeats.count), (.notes, notes.count),
      (.toneCount, toneCount), (.silenceCount, silenceCount), (.falseAlarmCount, falseAlarmCount),
    ]
    for (key, count) in counts where !(0...Self.maximumCount).contains(count) {
      throw container.failure("\(count) is outside 0 to \(Self.maximumCount)", at: key)
    }
    guard !container.contains(.silenceCount) || falseAlarmCount <= silenceCount else {
      throw container.failure("\(falseAlarmCount) is above silenceCount", at: .falseAlarmCount)
    }
    guard repeats.allSatisfy(\.isValid) else {
      throw container.failure("a frequency or a threshold is out of range", at: .repeats)
    }
  }

  /// Writes the record. Empty lists are omitted.
  ///
  /// A parser rejects numbers outside the permitted ranges. Therefore a threshold or a repeated
  /// measurement with such a number is not written. Counts are limited to the permitted ranges.
  public func encode(to encoder: any Encoder) throws {
    let thresholds = thresholds.prefix(Self.maximumCount).filter(\.isValid)
    let repeats = repeats.prefix(Self.maximumCount).filter(\.isValid)
    let notes = notes.prefix(Self.maximumCount)
    let silenceCount = min(max(0, silenceCount), Self.maximumCount)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(procedure, forKey: .procedure)
    try container.encode(headphone, forKey: .headphone)
    try container.encode(min(max(0, toneCount), Self.maximumCount), forKey: .toneCount)
    if !thresholds.isEmpty { try container.encode(thresholds, forKey: .thresholds) }
    if !repeats.isEmpty { try container.encode(repeats, forKey: .repeats) }
    try container.encode(silenceCount, forKey: .silenceCount)
    try container.encode(min(max(0, falseAlarmCount), silenceCount), forKey: .falseAlarmCount)
    if !notes.isEmpty { try container.encode(Array(notes), forKey: .notes) }
  }
}

extension MeasurementRecord.Threshold {
  private enum Key: String, CodingKey {
    case ear, frequency, standardDeviation, lowest, highest, needsMasking
  }

  /// Whether a file can contain the threshold. The permitted levels are -200 to 300 dB HL.
  fileprivate var isValid: Bool {
    Audiogram.frequencyRange.contains(frequency) && (0...1000).contains(standardDeviation)
      && lowest >= -200 && lowest <= highest && highest <= 300
  }

  /// Reads the uncertainty of a threshold. `needsMasking` may be missing.
  ///
  /// - Throws: `DecodingError`, which contains the path of the invalid value and the reason.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    self.init(
      ear: try container.value(Ear.self, at: .ear),
      frequency: try container.value(Double.self, at: .frequency),
      standardDeviation: try container.value(Double.self, at: .standardDeviation),
      lowest: try container.value(Double.self, at: .lowest),
      highest: try container.value(Double.self, at: .highest),
      needsMasking: try container.optionalValue(Bool.self, at: .needsMasking) ?? false)
    guard isValid else { throw container.failure("a number is out of range, or lowest > highest") }
  }
}

extension MeasurementRecord.Repeat {
  /// Whether a file can contain the two thresholds of this repeated measurement.
  fileprivate var isValid: Bool {
    Audiogram.frequencyRange.contains(frequency)
      && [first, second].allSatisfy((-200...300).contains)
  }
}
