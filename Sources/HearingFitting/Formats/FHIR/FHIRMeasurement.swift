/// The measured value of an HL7 FHIR Observation or of one of its components.
struct FHIRMeasurement: Decodable {
  /// An HL7 FHIR Quantity.
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

  private struct Extension: Decodable {
    let url: String?
  }

  private enum Key: String, CodingKey {
    case code, valueQuantity, valueInteger, interpretation, modifierExtension
    case valueString, valueCodeableConcept, valueRange, valueRatio, valueBoolean, valueSampledData
  }

  /// The types of values that are not a number with a unit.
  private static let otherValues: [Key] = [
    .valueString, .valueCodeableConcept, .valueRange, .valueRatio, .valueBoolean, .valueSampledData,
  ]

  /// The meaning of the code; nil if the code is not about hearing. In that case, no other field is
  /// read.
  let code: HearingCode?
  /// The value; nil if absent.
  let value: Double?
  /// The text and the code of the unit, if they are present and not empty.
  let units: [String]
  /// ">" for no response up to the value, "<" for a response at the lowest level tested.
  let comparator: String?
  /// The path of the measurement in the document.
  let place: String

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    place = decoder.codingPath.place
    code = (try? container.optionalValue(FHIRConcept.self, at: .code))?.hearing
    guard code != nil else {
      (value, units, comparator) = (nil, [], nil)
      return
    }
    let quantity = try container.optionalValue(Quantity.self, at: .valueQuantity)
    value =
      try quantity.map(\.value) ?? container.optionalValue(Double.self, at: .valueInteger)
    units = [quantity?.unit, quantity?.code].compactMap { $0 }.filter { !$0.isEmpty }
    try Self.check(container, hasNumber: value != nil, isPanel: code == .panel)
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

  /// Fails if there is a modifier extension, or if the value of a threshold or frequency is not a
  /// number with a unit.
  private static func check(
    _ container: KeyedDecodingContainer<Key>, hasNumber: Bool, isPanel: Bool
  ) throws {
    // HL7 FHIR: a reader that does not know a modifier extension must not use the resource.
    if let url = try container.optionalValue([Extension].self, at: .modifierExtension)?.first?.url {
      throw DecodingError.dataCorruptedError(
        forKey: .modifierExtension, in: container,
        debugDescription: "\(url.inQuotationMarks) changes the meaning in an unknown way")
    }
    guard !hasNumber, !isPanel, let other = otherValues.first(where: container.contains) else {
      return
    }
    throw DecodingError.dataCorruptedError(
      forKey: other, in: container, debugDescription: "a valueQuantity is expected")
  }

  /// The threshold as a point at a frequency in Hz; nil if the value is absent.
  func point(at frequency: Double) throws(UnreadableDocument) -> Audiogram.Point? {
    guard let value else { return nil }
    // UCUM codes cannot express "HL": text and code may both be "dB", but neither another unit.
    if let unit = units.first(where: { !QuantityText.isHearingLevel($0) }) {
      throw .invalid(place: place, reason: "\(unit.inQuotationMarks) is not dB HL")
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
    guard let factor = QuantityText.hertz(in: units.first) else {
      throw .invalid(
        place: place, reason: "\((units.first ?? "").inQuotationMarks) is neither Hz nor kHz")
    }
    return value * factor
  }
}
