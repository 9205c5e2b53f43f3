/// The attributes of an element of an Apple Health export.
struct HealthAttributes {
  let values: [String: String]
  /// The position of the element, for error messages.
  let position: String

  /// The time in the attribute `startDate`; nil if the attribute is missing or empty.
  func startTime() throws(UnreadableDocument) -> MeasurementTime? {
    guard let text = values["startDate"], !text.isEmpty else { return nil }
    guard let time = MeasurementTime(text) else {
      throw invalid("startDate", "\(text.inQuotationMarks) is not a date and time")
    }
    return time
  }

  /// The number in the attribute `name`; nil if the attribute is missing or empty.
  func number(_ name: String) throws(UnreadableDocument) -> Double? {
    guard let text = values[name], !text.isEmpty else { return nil }
    guard let number = QuantityText.value(of: text) else {
      throw invalid(name, "\(text.inQuotationMarks) is not a number")
    }
    return number
  }

  /// The frequency in Hz, which is required.
  func frequency() throws(UnreadableDocument) -> Double {
    guard let frequency = try number("frequencyValue") else {
      throw invalid("frequencyValue", "missing")
    }
    guard let factor = QuantityText.hertz(in: values["frequencyUnit"]) else {
      let unit = values["frequencyUnit"] ?? ""
      throw invalid("frequencyUnit", "\(unit.inQuotationMarks) is neither Hz nor kHz")
    }
    return frequency * factor
  }

  /// Limits a threshold to the clamping range that the file contains for the ear, if there is one.
  func clamp(_ threshold: Double, of ear: Ear) throws(UnreadableDocument) -> Double {
    let unit = "\(ear.rawValue)EarUnit"
    guard QuantityText.isHearingLevel(values[unit]) else {
      throw invalid(unit, "\((values[unit] ?? "").inQuotationMarks) is not dB HL")
    }
    let name = "\(ear.rawValue)EarClampingRange"
    let lower = try number(name + "LowerBound") ?? -Double.infinity
    let upper = try number(name + "UpperBound") ?? Double.infinity
    guard lower <= upper else {
      throw invalid(
        name + "LowerBound", "\(lower.plain) is above the upper bound, \(upper.plain)")
    }
    return threshold.limited(to: lower...upper)
  }

  /// Whether the other ear was masked.
  func isMasked(_ ear: Ear) throws(UnreadableDocument) -> Bool {
    let name = "\(ear.rawValue)EarMasked"
    let text = values[name] ?? ""
    switch text.lowercased() {
    case "yes", "true", "1": return true
    case "no", "false", "0", "": return false
    default:
      throw invalid(name, "\(text.inQuotationMarks) is neither YES nor NO")
    }
  }

  private func invalid(_ name: String, _ reason: String) -> UnreadableDocument {
    .invalid(position: "\(position), \(name)", reason: reason)
  }
}
