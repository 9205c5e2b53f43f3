/// An HL7 FHIR Observation about hearing.
struct FHIRObservation {
  private struct Reference: Decodable { let reference: String? }

  private struct Period: Decodable { let start: String? }

  /// The code and the value of the observation, without its components.
  let own: FHIRMeasurement
  let components: [FHIRMeasurement]
  let id: String?
  let members: [String]
  let time: MeasurementTime?
  /// True if the method, the code, the body site or a category of the observation mentions bone
  /// conduction.
  let isBoneConduction: Bool
  /// True if the observation was entered in error, cancelled or measured by bone conduction. A void
  /// observation is ignored.
  let isVoid: Bool
  /// True if the status of the observation is registered or preliminary. A registered or
  /// preliminary observation may still change.
  let isPreliminary: Bool

  /// The addresses with which other resources can refer to the observation.
  var addresses: [FHIRAddress]
  var subject: FHIRSubject?
  /// The position of the resource that contains the observation. If no resource contains the
  /// observation, `container` is the position of the observation.
  var container: String
  /// The server in the `fullUrl` of the Bundle entry; nil if unknown.
  var server: String?

  var position: String { own.position }

  /// The position of an element of the observation in the document.
  func position(of element: String) -> String {
    position.isEmpty ? element : "\(position).\(element)"
  }

  /// True if the observation contains thresholds at a single frequency instead of a whole
  /// audiogram.
  var isSinglePoint: Bool {
    switch own.code {
    case .threshold(_, _?), .sensitivity: true
    default: false
    }
  }

  /// Decodes an observation; nil if the observation is not about hearing.
  init?(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: FHIRKey.self)
    own = try FHIRMeasurement(from: decoder)
    components = try container.optionalValue([FHIRMeasurement].self, at: .component) ?? []
    guard own.code != nil || components.contains(where: \.isThreshold) else { return nil }
    self.container = own.position
    id = try container.optionalValue(String.self, at: .id)
    let meta = try? container.nestedContainer(keyedBy: FHIRKey.self, forKey: .meta)
    let version = try? meta?.optionalValue(String.self, at: .versionId)
    var paths = id.map { ["Observation/\($0)", $0] } ?? []
    if let id, let version { paths.append("Observation/\(id)/_history/\(version)") }
    addresses = paths.map { FHIRAddress(server: nil, path: $0) }
    subject = try container.optionalValue(FHIRSubject.self, at: .subject)
    let references = try container.optionalValue([Reference].self, at: .hasMember) ?? []
    members = references.compactMap(\.reference)
    let status = try container.optionalValue(String.self, at: .status)
    let keys: [FHIRKey] = [.method, .code, .bodySite]
    let concepts = keys.compactMap { try? container.optionalValue(FHIRConcept.self, at: $0) }
    let categories = try? container.optionalValue([FHIRConcept].self, at: .category)
    isBoneConduction = (concepts + (categories ?? [])).contains { $0.mentions("bone") }
    isVoid = status == "entered-in-error" || status == "cancelled" || isBoneConduction
    isPreliminary = status == "preliminary" || status == "registered"
    let times: [(key: FHIRKey, text: String?)] = [
      (.effectiveDateTime, try container.optionalValue(String.self, at: .effectiveDateTime)),
      (.effectivePeriod, try container.optionalValue(Period.self, at: .effectivePeriod)?.start),
      (.effectiveInstant, try container.optionalValue(String.self, at: .effectiveInstant)),
      (.issued, try container.optionalValue(String.self, at: .issued)),
    ]
    let found = times.first { $0.text != nil }
    time = found?.text.flatMap(MeasurementTime.init)
    if let found, let text = found.text, time == nil, !isVoid {
      throw container.failure("\(text.inQuotationMarks) is not a date or a time", at: found.key)
    }
  }

  /// Adds the thresholds of the observation and of its components to `points`.
  func add(to points: inout PointCollection) throws(UnreadableDocument) {
    if let modification = own.modification { throw modification }
    var frequency: Double?
    for measurement in [own] + components {
      switch measurement.code {
      case .frequency:
        frequency = try measurement.frequency()
      case .threshold(let ear, let codedFrequency):
        guard try measurement.value.get() != nil else { continue }
        if codedFrequency == nil, frequency == nil { frequency = try onlyFrequency() }
        guard let frequency = codedFrequency ?? frequency,
          let point = try measurement.point(at: frequency)
        else { continue }
        try points.add(point, to: ear, at: measurement.position)
      case .panel, .sensitivity, nil:
        break
      }
    }
  }

  /// The frequency in Hz for a threshold that precedes every frequency component. The observation
  /// must contain exactly one frequency component.
  private func onlyFrequency() throws(UnreadableDocument) -> Double {
    let frequencies = components.filter { $0.code == .frequency }
    guard frequencies.count == 1 else {
      throw .invalid(
        position: position,
        reason: "a threshold needs exactly one frequency, found \(frequencies.count)")
    }
    return try frequencies[0].frequency()
  }
}
