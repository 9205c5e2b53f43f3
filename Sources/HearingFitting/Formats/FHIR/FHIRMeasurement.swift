/// The measured value of an HL7 FHIR Observation or of one of its components.
struct FHIRMeasurement: Decodable {
  /// An HL7 FHIR Quantity.
  struct Quantity: Decodable {
    let value: Double?
    let comparator: String?
    let unit: String?
    let system: String?
    let code: String?

    /// The text of the unit and the UCUM code of the unit. Missing and empty values are omitted.
    var units: [String] {
      let isUCUM = system == nil || system == "http://unitsofmeasure.org"
      return [unit, isUCUM ? code : nil].compactMap { $0 }.filter { !$0.isEmpty }
    }
  }

  private struct Extension: Decodable { let url: String? }

  /// The keys of HL7 FHIR values that are not numbers.
  private enum OtherKey: String, CodingKey, CaseIterable {
    case valueString, valueCodeableConcept, valueRange, valueRatio, valueBoolean, valueSampledData
  }

  /// The meaning of the measurement's code; nil if the code is not about hearing. If the code is
  /// not about hearing, the value, the units and the comparator are not read.
  let code: HearingCode?
  /// The measured value; nil if the measurement has no value. The result is a failure if the value
  /// is not a number, or if a modifier extension changes the meaning of the value.
  let value: Result<Double?, UnreadableDocument>
  private let units: [String]
  /// The error for a measurement with a modifier extension; nil without such an extension. A
  /// modifier extension changes the meaning of the measurement. According to HL7 FHIR, software
  /// that does not support the extension must not use the measurement.
  let modification: UnreadableDocument?
  /// The comparator of the value. The comparator ">" means that the listener did not respond up to
  /// the value. The comparator "<" means that the listener responded at the lowest tested level.
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
      (value, units, comparator) = (.success(nil), [], nil)
      return
    }
    let quantity = try container.optionalValue(Quantity.self, at: .valueQuantity)
    units = quantity?.units ?? []
    let found = try quantity.map(\.value) ?? container.optionalValue(Double.self, at: .valueInteger)
    let others = try decoder.container(keyedBy: OtherKey.self)
    let other = try OtherKey.allCases.first {
      try others.contains($0) && !others.decodeNil(forKey: $0)
    }
    let mismatch = found == nil ? other.map { invalid($0, "a valueQuantity is expected") } : nil
    value = (modification ?? mismatch).map(Result.failure) ?? .success(found)
    let concepts = (try? container.optionalValue([FHIRConcept].self, at: .interpretation)) ?? []
    let interpretations = Set(concepts.flatMap { $0.coding ?? [] }.compactMap(\.code))
    let isAbove = !interpretations.isDisjoint(with: [">", "ND"])
    let interpretation = isAbove ? ">" : interpretations.contains("<") ? "<" : nil
    comparator = quantity?.comparator.flatMap { $0.isEmpty ? nil : $0 } ?? interpretation
  }

  /// Whether the measurement is the threshold of an ear.
  var isThreshold: Bool { if case .threshold = code { true } else { false } }

  /// The threshold as a point of an audiogram at a frequency in Hz; nil if the measurement has no
  /// value.
  func point(at frequency: Double) throws(UnreadableDocument) -> Audiogram.Point? {
    guard let value = try value.get() else { return nil }
    // UCUM codes cannot express "HL". The unit "dB" therefore counts as dB HL. Any unit other than
    // dB or dB HL is an error, both in the text and in the code of the unit.
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
    guard let value = try value.get(), comparator == nil else {
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
