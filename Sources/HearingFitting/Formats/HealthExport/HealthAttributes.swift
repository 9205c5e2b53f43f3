/// The attributes of a `<SensitivityPoint>`.
struct HealthAttributes {
  let values: [String: String]
  /// The position of the element, for error messages.
  let position: String

  /// The number in the attribute `name`; nil if the attribute is missing or empty.
  func number(_ name: String) throws(UnreadableDocument) -> Double? {
    guard let text = values[name], !text.isEmpty else { return nil }
    guard let number = QuantityText.value(of: text) else {
      throw .invalid(
        position: "\(position), \(name)", reason: "\(text.inQuotationMarks) is not a number")
    }
    return number
  }

  /// The frequency in Hz, which is required.
  func frequency() throws(UnreadableDocument) -> Double {
    guard let frequency = try number("frequencyValue") else {
      throw .invalid(position: "\(position), frequencyValue", reason: "missing")
    }
    guard let factor = QuantityText.hertz(in: values["frequencyUnit"]) else {
      throw .invalid(
        position: "\(position), frequencyUnit",
        reason: "\((values["frequencyUnit"] ?? "").inQuotationMarks) is neither Hz nor kHz")
    }
    return frequency * factor
  }

  /// Limits a threshold to the clamping range that the file contains for the ear, if there is one.
  func clamp(_ threshold: Double, of ear: Ear) throws(UnreadableDocument) -> Double {
    let unit = "\(ear.rawValue)EarUnit"
    guard QuantityText.isHearingLevel(values[unit]) else {
      throw .invalid(
        position: "\(position), \(unit)",
        reason: "\((values[unit] ?? "").inQuotationMarks) is not dB HL")
    }
    let name = "\(ear.rawValue)EarClampingRange"
    let lower = try number(name + "LowerBound") ?? -Double.infinity
    let upper = try number(name + "UpperBound") ?? Double.infinity
    guard lower <= upper else {
      throw .invalid(
        position: "\(position), \(name)LowerBound",
        reason: "\(lower.plain) is above the upper bound, \(upper.plain)")
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
      throw .invalid(
        position: "\(position), \(name)", reason: "\(text.inQuotationMarks) is neither YES nor NO")
    }
  }
}
