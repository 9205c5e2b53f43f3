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

  /// The keys of values that are not a number with a unit.
  private enum OtherKey: String, CodingKey, CaseIterable {
    case valueString, valueCodeableConcept, valueRange, valueRatio, valueBoolean, valueSampledData
  }

  /// The meaning of the code; nil if the code is not about hearing. If the code is nil, no other
  /// field is read.
  let code: HearingCode?
  /// The value, which is nil if absent. A failure if the value is not a number with a unit.
  private let content: Result<Double?, UnreadableDocument>
  private let units: [String]
  /// The error for an element with a modifier extension, which changes the meaning of the element.
  /// According to HL7 FHIR, a reader that does not know the extension must not use the element.
  let modification: UnreadableDocument?
  /// The comparator ">" means no response up to the value. The comparator "<" means a response at
  /// the lowest level tested.
  private let comparator: String?
  /// The path of the measurement in the document.
  let position: String

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: FHIRKey.self)
    position = decoder.codingPath.position
    code = (try? container.optionalValue(FHIRConcept.self, at: .code))?.hearing
    func invalid(_ key: any CodingKey, _ reason: String) -> UnreadableDocument {
      .invalid(position: (container.codingPath + [key]).position, reason: reason)
    }
    let extensions = (try? container.optionalValue([Extension].self, at: .modifierExtension)) ?? []
    let url = (extensions.compactMap(\.url).first ?? "").inQuotationMarks
    modification =
      extensions.isEmpty
      ? nil : invalid(FHIRKey.modifierExtension, "\(url) changes the meaning in an unknown way")
    guard code != nil else {
      (content, units, comparator) = (.success(nil), [], nil)
      return
    }
    let quantity = try container.optionalValue(Quantity.self, at: .valueQuantity)
    units = quantity?.units ?? []
    let value = try quantity.map(\.value) ?? container.optionalValue(Double.self, at: .valueInteger)
    let others = try decoder.container(keyedBy: OtherKey.self)
    let other = try OtherKey.allCases.first {
      try others.contains($0) && !others.decodeNil(forKey: $0)
    }
    if value == nil, let other {
      content = .failure(invalid(other, "a valueQuantity is expected"))
    } else {
      content = .success(value)
    }
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

  /// The value; nil if absent.
  ///
  /// - Throws: An error if the value is not a number with a unit, or if its meaning is unknown.
  func value() throws(UnreadableDocument) -> Double? {
    if let modification { throw modification }
    return try content.get()
  }

  /// The threshold as a point at a frequency in Hz; nil if the value is absent.
  func point(at frequency: Double) throws(UnreadableDocument) -> Audiogram.Point? {
    guard let value = try value() else { return nil }
    // UCUM codes cannot express "HL". Therefore the text and the code may be "dB", but neither may
    // be another unit.
    if let unit = units.first(where: { !QuantityText.isHearingLevel($0) }) {
      throw invalid("\(unit.inQuotationMarks) is not dB HL")
    }
    var point = Audiogram.Point(frequency: frequency, threshold: value)
    switch comparator {
    case nil: break
    case ">", ">=": point.isNoResponse = true
    case "<", "<=": point.isClamped = true
    case let comparator?:
      throw invalid("\(comparator.inQuotationMarks) is not a known comparator")
    }
    return point
  }

  /// The frequency in Hz, for a component with the code "frequency".
  func frequency() throws(UnreadableDocument) -> Double {
    guard let value = try value(), comparator == nil else {
      throw invalid("a frequency without a value")
    }
    let unit = units.first ?? ""
    guard let factor = QuantityText.hertz(in: unit) else {
      throw invalid("\(unit.inQuotationMarks) is neither Hz nor kHz")
    }
    return value * factor
  }

  private func invalid(_ reason: String) -> UnreadableDocument {
    .invalid(position: position, reason: reason)
  }
}
