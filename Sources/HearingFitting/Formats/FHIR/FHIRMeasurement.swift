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
    modification = try Self.modification(in: container)
    guard code != nil else {
      (value, units, comparator, otherValue) = (nil, [], nil, nil)
      return
    }
    let quantity = try container.optionalValue(Quantity.self, at: .valueQuantity)
    value =
      try quantity.map(\.value) ?? container.optionalValue(Double.self, at: .valueInteger)
    units = quantity?.units ?? []
    otherValue = try value == nil ? Self.otherValue(in: container) : nil
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

  private static func modification(
    in container: KeyedDecodingContainer<Key>
  ) throws -> UnreadableDocument? {
    let extensions = try? container.optionalValue([Extension].self, at: .modifierExtension)
    guard let extensions, !extensions.isEmpty else { return nil }
    let url = extensions.compactMap(\.url).first ?? ""
    return .invalid(
      position: (container.codingPath + [Key.modifierExtension]).position,
      reason: "\(url.inQuotationMarks) changes the meaning in an unknown way")
  }

  private static func otherValue(
    in container: KeyedDecodingContainer<Key>
  ) throws -> UnreadableDocument? {
    let present = try otherValues.first {
      try container.contains($0) && !container.decodeNil(forKey: $0)
    }
    return present.map { key in
      .invalid(
        position: (container.codingPath + [key]).position, reason: "a valueQuantity is expected")
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
