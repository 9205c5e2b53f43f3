/// An HL7 FHIR resource. Reads the observations about hearing in the resource and in its contained
/// resources.
struct FHIRResource: Decodable {
  private struct Entry: Decodable {
    let fullUrl: String?
    let resource: FHIRResource?
  }

  /// The maximum number of keys and indices in the coding path of a resource. This limit allows
  /// five nested Bundles.
  private static let maximumDepth = 16

  private let position: String
  private(set) var observations: [FHIRObservation] = []
  /// The id and the data of the patient; nil if this resource is not a patient.
  private var patient: (id: String, patient: FHIRPatient)?

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: FHIRKey.self)
    position = decoder.codingPath.position
    guard decoder.codingPath.count <= Self.maximumDepth else {
      throw container.failure("the resources are nested too deeply")
    }
    switch try? container.decode(String.self, forKey: .resourceType) {
    case "Observation":
      if let observation = try FHIRObservation(from: decoder) { observations = [observation] }
    case "Patient":
      if let id = try? container.decode(String.self, forKey: .id) {
        patient = (id, (try? FHIRPatient(from: decoder)) ?? FHIRPatient())
      }
    case "Bundle":
      for entry in try container.optionalValue([Entry].self, at: .entry) ?? [] {
        guard let resource = entry.resource else { continue }
        observations += resource.located(at: entry.fullUrl)
      }
    default: break
    }
    guard let contained = try container.optionalValue([FHIRResource].self, at: .contained) else {
      return
    }
    if decoder.codingPath.contains(where: { $0.stringValue == FHIRKey.contained.rawValue }) {
      throw container.failure("a contained resource cannot contain others", at: .contained)
    }
    // A contained observation without a subject gets the subject of the containing resource.
    let subject = try? container.optionalValue(FHIRSubject.self, at: .subject)
    for var inner in contained.flatMap(\.observations) {
      inner.container = position
      inner.subject = inner.subject ?? subject
      // Only the containing resource can refer to a contained resource.
      inner.addresses = inner.id.map { [FHIRAddress(server: nil, path: "\(position)#\($0)")] } ?? []
      observations.append(inner)
    }
    let patients = Dictionary(contained.compactMap(\.patient)) { first, _ in first }
    for index in observations.indices where observations[index].container == position {
      observations[index].subject?.resolve(patients, in: position)
    }
  }

  /// The observations of this resource, with complete addresses. `fullUrl` is the address of the
  /// resource in a Bundle.
  private func located(at fullUrl: String?) -> [FHIRObservation] {
    guard let address = fullUrl.flatMap(FHIRAddress.init) else { return observations }
    return observations.map { inner in
      var result = inner
      result.server = inner.server ?? address.server
      result.subject?.locate(on: result.server)
      // A contained observation has no address of its own.
      guard inner.container == inner.position else { return result }
      // The address of a Bundle is not the address of its observations.
      let own = inner.position == position ? [address] : []
      result.addresses = own + inner.addresses.map { $0.relative(to: result.server) }
      return result
    }
  }
}

/// The names of the HL7 FHIR elements that are read.
enum FHIRKey: String, CodingKey {
  // Keys of resources
  case resourceType, contained, entry, id, subject
  // Keys of observations
  case meta, versionId, status, component, hasMember
  case effectiveDateTime, effectivePeriod, effectiveInstant, issued
  case code, method, bodySite, category
  case valueQuantity, valueInteger, interpretation, modifierExtension
  // Keys of subjects and patients
  case reference, identifier, name, birthDate
}
