extension MeasurementRecord: Codable {
  private enum Key: String, CodingKey {
    case procedure, headphone, toneCount, thresholds, repeats, silenceCount, falseAlarmCount, notes
  }

  /// The maximum number of thresholds, of repeats and of notes in a record. This number is enough
  /// for two audiograms of the maximum size.
  private static let maximumCount = 2 * Audiogram.maximumPointCount

  /// Reads a record. All keys except `procedure` are optional.
  ///
  /// - Throws: `DecodingError` with the path and the reason.
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
    guard max(thresholds.count, repeats.count, notes.count) <= Self.maximumCount else {
      throw container.failure("too many entries in the record")
    }
  }

  /// Writes the record, without empty lists.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(procedure, forKey: .procedure)
    try container.encode(headphone, forKey: .headphone)
    try container.encode(toneCount, forKey: .toneCount)
    if !thresholds.isEmpty { try container.encode(thresholds, forKey: .thresholds) }
    if !repeats.isEmpty { try container.encode(repeats, forKey: .repeats) }
    try container.encode(silenceCount, forKey: .silenceCount)
    try container.encode(falseAlarmCount, forKey: .falseAlarmCount)
    if !notes.isEmpty { try container.encode(notes, forKey: .notes) }
  }
}

extension MeasurementRecord.Threshold: Codable {
  private enum Key: String, CodingKey {
    case ear, frequency, standardDeviation, lowest, highest, needsMasking
  }

  /// Reads the uncertainty of a threshold. `needsMasking` may be missing.
  ///
  /// - Throws: `DecodingError` with the path and the reason.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    self.init(
      ear: try container.value(Ear.self, at: .ear),
      frequency: try container.value(Double.self, at: .frequency),
      standardDeviation: try container.value(Double.self, at: .standardDeviation),
      lowest: try container.value(Double.self, at: .lowest),
      highest: try container.value(Double.self, at: .highest),
      needsMasking: try container.optionalValue(Bool.self, at: .needsMasking) ?? false)
    guard lowest <= highest, standardDeviation >= 0 else {
      throw container.failure(
        "the range from \(lowest.plain) to \(highest.plain) dB HL is empty", at: .highest)
    }
  }

  /// Writes the uncertainty of a threshold. `needsMasking` is written only if it is true.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(ear, forKey: .ear)
    try container.encode(frequency, forKey: .frequency)
    try container.encode(standardDeviation, forKey: .standardDeviation)
    try container.encode(lowest, forKey: .lowest)
    try container.encode(highest, forKey: .highest)
    if needsMasking { try container.encode(true, forKey: .needsMasking) }
  }
}
