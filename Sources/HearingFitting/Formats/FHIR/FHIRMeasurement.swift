/// The measured value of an HL7 FHIR Observation or of one of its components.
struct FHIRMeasurement: Decodable {
  /// A Quantity.
  struct Quantity: Decodable {
    let value: Double?
    let comparator: String?
    let unit: String?
    let code: String?

    private enum Key: String, CodingKey {
      case value, comparator, unit, code
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      value = try container.optionalValue(Double.self, at: .value)
      comparator = try container.optionalValue(String.self, at: .comparator)
      unit = try container.optionalValue(String.self, at: .unit)
      code = try container.optionalValue(String.self, at: .code)
    }
  }

  private enum Key: String, CodingKey {
    case code, valueQuantity, valueInteger, interpretation
  }

  /// The meaning of the code; nil: not about hearing, and no other field has been read.
  let code: HearingCode?
  /// The value; nil: absent.
  let value: Double?
  let unit: String?
  /// ">" for no response up to the value, "<" for a response at the lowest level tested.
  let comparator: String?
  /// Its path in the document.
  let place: String

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    place = decoder.codingPath.place
    code = (try? container.optionalValue(FHIRConcept.self, at: .code))?.hearing
    guard code != nil else {
      (value, unit, comparator) = (nil, nil, nil)
      return
    }
    let quantity = try container.optionalValue(Quantity.self, at: .valueQuantity)
    value =
      try quantity.map(\.value) ?? container.optionalValue(Double.self, at: .valueInteger)
    // UCUM codes cannot express "HL", so the unit in words has priority.
    unit = [quantity?.unit, quantity?.code].compactMap { $0 }.first { !$0.isEmpty }
    let concepts = (try? container.optionalValue([FHIRConcept].self, at: .interpretation)) ?? []
    if let comparator = quantity?.comparator, !comparator.isEmpty {
      self.comparator = comparator
    } else if concepts.contains(where: { $0.contains(">") || $0.contains("ND") }) {
      comparator = ">"
    } else if concepts.contains(where: { $0.contains("<") }) {
      comparator = "<"
    } else {
      comparator = nil
    }
  }

  /// The threshold as a point at a frequency in Hz; nil if the value is absent.
  func point(at frequency: Double) throws(UnreadableDocument) -> Audiogram.Point? {
    guard let value else { return nil }
    guard QuantityText.isHearingLevel(unit) else {
      throw .invalid(place: place, reason: "\((unit ?? "").inQuotationMarks) is not dB HL")
    }
    var point = Audiogram.Point(frequency: frequency, threshold: value)
    switch comparator {
    case nil: break
    case ">", ">=": point.isNoResponse = true
    case "<", "<=": point.isClamped = true
    case let comparator?:
      throw .invalid(
        place: place, reason: "\(comparator.inQuotationMarks) is not a known comparator")
    }
    return point
  }

  /// The frequency in Hz of a component "frequency".
  func frequency() throws(UnreadableDocument) -> Double {
    guard let value, comparator == nil else {
      throw .invalid(place: place, reason: "a frequency without a value")
    }
    guard let factor = QuantityText.hertz(in: unit) else {
      throw .invalid(place: place, reason: "\((unit ?? "").inQuotationMarks) is neither Hz nor kHz")
    }
    return value * factor
  }
}
