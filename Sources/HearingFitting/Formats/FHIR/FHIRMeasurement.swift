/// The measured value of an HL7 FHIR Observation or of one of its components.
struct FHIRMeasurement: Decodable {
  /// An HL7 FHIR Quantity.
  struct Quantity: Decodable {
    let value: Double?
    let comparator: String?
    let unit: String?
    let system: String?
    let code: String?

    /// The text and the UCUM code of the unit, if they are present and not empty.
    var units: [String] {
      let isUCUM = system == nil || system == "http://unitsofmeasure.org"
      return [unit, isUCUM ? code : nil].compactMap { $0 }.filter { !$0.isEmpty }
    }
  }

  private struct Extension: Decodable {
    let url: String?
  }

  private enum Key: String, CodingKey {
    case code, valueQuantity, valueInteger, interpretation, modifierExtension
    case valueString, valueCodeableConcept, valueRange, valueRatio, valueBoolean, valueSampledData
  }

  /// The keys of values that are not a number with a unit.
  private static let otherValues: [Key] = [
    .valueString, .valueCodeableConcept, .valueRange, .valueRatio, .valueBoolean, .valueSampledData,
  ]

  /// The meaning of the code; nil if the code is not about hearing. If the code is nil, no other
  /// field is read.
  let code: HearingCode?
  /// The value; nil if absent.
  let value: Double?
  let units: [String]
  /// The error for an element with a modifier extension, which changes the meaning of the element.
  /// According to HL7 FHIR, a reader that does not know the extension must not use the element.
  let modification: UnreadableDocument?
  /// The error if the value is not a number with a unit.
  private let otherValue: UnreadableDocument?
  /// The comparator ">" means no response up to the value. The comparator "<" means a response at
  /// the lowest level tested.
  let comparator: String?
  /// The path of the measurement in the document.
  let position: String

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    position = decoder.codingPath.position
    code = (try? container.optionalValue(FHIRConcept.self, at: .code))?.hearing
    func invalid(_ key: Key, _ reason: String) -> UnreadableDocument {
      .invalid(position: (container.codingPath + [key]).position, reason: reason)
    }
    let extensions = (try? container.optionalValue([Extension].self, at: .modifierExtension)) ?? []
    let url = extensions.compactMap(\.url).first ?? ""
    modification =
      extensions.isEmpty
      ? nil
      : invalid(
        .modifierExtension, "\(url.inQuotationMarks) changes the meaning in an unknown way")
    guard code != nil else {
      (value, units, comparator, otherValue) = (nil, [], nil, nil)
      return
    }
    let quantity = try container.optionalValue(Quantity.self, at: .valueQuantity)
    value =
      try quantity.map(\.value) ?? container.optionalValue(Double.self, at: .valueInteger)
    units = quantity?.units ?? []
    let other = try Self.otherValues.first {
      try container.contains($0) && !container.decodeNil(forKey: $0)
    }
    otherValue = value == nil ? other.map { invalid($0, "a valueQuantity is expected") } : nil
    let concepts = (try? container.optionalValue([FHIRConcept].self, at: .interpretation)) ?? []
    let interpretations = Set(concepts.flatMap { $0.coding ?? [] }.compactMap(\.code))
    if let comparator = quantity?.comparator, !comparator.isEmpty {
      self.comparator = comparator
    } else if !interpretations.isDisjoint(with: [">", "ND"]) {
      comparator = ">"
    } else {
      comparator = interpretations.contains("<") ? "<" : nil
    }
  }

  /// Whether the measurement is the threshold of an ear.
  var isThreshold: Bool {
    switch code {
    case .threshold, .earSensitivity: true
    default: false
    }
  }

  /// Whether there is a value.
  ///
  /// - Throws: An error if the value is not a number with a unit, or if its meaning is unknown.
  var hasValue: Bool {
    get throws(UnreadableDocument) {
      if let error = modification ?? otherValue { throw error }
      return value != nil
    }
  }

  /// The threshold as a point at a frequency in Hz; nil if the value is absent.
  func point(at frequency: Double) throws(UnreadableDocument) -> Audiogram.Point? {
    guard try hasValue, let value else { return nil }
    // UCUM codes cannot express "HL". Therefore the text and the code may be "dB", but neither may
    // be another unit.
    if let unit = units.first(where: { !QuantityText.isHearingLevel($0) }) {
      throw .invalid(position: position, reason: "\(unit.inQuotationMarks) is not dB HL")
    }
    var point = Audiogram.Point(frequency: frequency, threshold: value)
    switch comparator {
    case nil: break
    case ">", ">=": point.isNoResponse = true
    case "<", "<=": point.isClamped = true
    case let comparator?:
      throw .invalid(
        position: position, reason: "\(comparator.inQuotationMarks) is not a known comparator")
    }
    return point
  }

  /// The frequency in Hz, for a component with the code "frequency".
  func frequency() throws(UnreadableDocument) -> Double {
    guard try hasValue, let value, comparator == nil else {
      throw .invalid(position: position, reason: "a frequency without a value")
    }
    guard let factor = QuantityText.hertz(in: units.first) else {
      throw .invalid(
        position: position, reason: "\((units.first ?? "").inQuotationMarks) is neither Hz nor kHz")
    }
    return value * factor
  }
}
