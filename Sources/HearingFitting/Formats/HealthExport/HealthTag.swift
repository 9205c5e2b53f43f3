/// A start tag in an `<Audiogram>` element of an Apple Health export.
struct HealthTag {
  let name: String
  /// The attributes of the tag. Attributes with an empty value are omitted.
  let attributes: [String: String]
  let line: Int

  /// The line number and the name of the tag, for error messages.
  var position: String { "line \(line), \(name)" }

  /// The time in the attribute `startDate`; nil if the attribute is missing.
  func startTime() throws(UnreadableDocument) -> MeasurementTime? {
    guard let text = attributes["startDate"] else { return nil }
    if let time = MeasurementTime(text) { return time }
    throw invalid("startDate", "not a date and time")
  }

  /// The audiogram point of one ear; nil if the tag has no threshold for this ear.
  func point(_ ear: Ear) throws(UnreadableDocument) -> Audiogram.Point? {
    guard let value = try number("\(ear.rawValue)EarValue") else { return nil }
    return Audiogram.Point(
      frequency: try frequency(), threshold: value, isMasked: try isMasked(ear)
    ).limited(to: try clampingRange(of: ear))
  }

  /// The number in the attribute `name`; nil if the attribute is missing.
  private func number(_ name: String) throws(UnreadableDocument) -> Double? {
    guard let text = attributes[name] else { return nil }
    guard let number = QuantityText.value(of: text) else { throw invalid(name, "not a number") }
    return number
  }

  /// The frequency in Hz. A missing frequency is an error.
  private func frequency() throws(UnreadableDocument) -> Double {
    guard let frequency = try number("frequencyValue") else {
      throw .invalid(position: "\(position), frequencyValue", reason: "missing")
    }
    guard let factor = QuantityText.hertz(in: attributes["frequencyUnit"]) else {
      throw invalid("frequencyUnit", "neither Hz nor kHz")
    }
    return frequency * factor
  }

  /// The clamping range of the ear in dB HL: a lower and an upper bound for the threshold. A bound
  /// that is missing in the file is infinite.
  private func clampingRange(of ear: Ear) throws(UnreadableDocument) -> ClosedRange<Double> {
    let unit = "\(ear.rawValue)EarUnit"
    guard QuantityText.isHearingLevel(attributes[unit]) else { throw invalid(unit, "not dB HL") }
    let name = "\(ear.rawValue)EarClampingRange"
    let lower = try number(name + "LowerBound") ?? -Double.infinity
    let upper = try number(name + "UpperBound") ?? Double.infinity
    guard lower <= upper else {
      throw .invalid(
        position: "\(position), \(name)LowerBound",
        reason: "\(lower.plain) is above the upper bound, \(upper.plain)")
    }
    return lower...upper
  }

  /// Whether the other ear was masked during the measurement of `ear`.
  private func isMasked(_ ear: Ear) throws(UnreadableDocument) -> Bool {
    let name = "\(ear.rawValue)EarMasked"
    switch attributes[name]?.lowercased() {
    case "yes", "true", "1": return true
    case "no", "false", "0", nil: return false
    default: throw invalid(name, "neither YES nor NO")
    }
  }

  /// The error for an attribute with an invalid value.
  private func invalid(_ name: String, _ reason: String) -> UnreadableDocument {
    let value = (attributes[name] ?? "").inQuotationMarks
    return .invalid(position: "\(position), \(name)", reason: "\(value) is \(reason)")
  }
}
