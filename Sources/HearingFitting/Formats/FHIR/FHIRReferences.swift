/// Resolves references between the observations of a document, as HL7 FHIR defines it for Bundles.
///
/// - "#k" is a resource that the same resource contains.
/// - "Observation/a" is relative to the server in the `fullUrl` of the entry. If no entry has that
///   address, it is the only observation of the document with this id.
/// - Any other reference is the `fullUrl` of an entry.
///
/// The suffix "/_history/…" of a version is ignored.
struct FHIRReferences {
  private var indices: [String: [Int]] = [:]

  init(_ observations: [FHIRResource.Located]) {
    for (index, located) in observations.enumerated() {
      for name in located.names { indices[name, default: []].append(index) }
    }
  }

  /// The index of the observation that `reference` in `source` refers to. Nil if the document does
  /// not contain it, or if several observations have this name.
  func index(of reference: String, from source: FHIRResource.Located) -> Int? {
    let name = String(reference.prefix(upTo: Self.versionStart(of: reference)))
    if name.hasPrefix("#") { return only(source.container + name) }
    return source.server.flatMap { only($0 + name) } ?? only(name)
  }

  private func only(_ name: String) -> Int? {
    indices[name].flatMap { $0.count == 1 ? $0.first : nil }
  }

  private static func versionStart(of reference: String) -> String.Index {
    reference.firstRange(of: "/_history")?.lowerBound ?? reference.endIndex
  }
}

/// An HL7 FHIR resource: the observations about hearing in it and in its contained resources.
struct FHIRResource: Decodable {
  private enum Key: String, CodingKey {
    case resourceType, contained, entry, id
  }

  private struct Entry: Decodable {
    let fullUrl: String?
    let resource: FHIRResource?
  }

  /// An observation and its position in the document.
  struct Located {
    var observation: FHIRObservation
    /// The path of the resource that contains the observation, or of the observation itself.
    let container: String
    /// The references that resolve to this observation.
    var names: [String]
    /// The address of the server from the `fullUrl`, with a slash at the end. Nil if unknown.
    var server: String?
  }

  let observations: [Located]
  /// The identity of a contained patient, and the patient's id.
  private let patient: (id: String, identity: String)?

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let place = decoder.codingPath.place
    var observations: [Located] = []
    var patient: (id: String, identity: String)?
    switch try? container.decode(String.self, forKey: .resourceType) {
    case "Observation":
      if let observation = try FHIRObservation(from: decoder) {
        let names = observation.id.map { [$0, "Observation/\($0)"] } ?? []
        observations.append(
          Located(observation: observation, container: place, names: names))
      }
    case "Patient":
      if let id = try? container.decode(String.self, forKey: .id) {
        patient = (id, (try? FHIRPatient(from: decoder))?.identity ?? "")
      }
    case "Bundle":
      for entry in try container.optionalValue([Entry].self, at: .entry) ?? [] {
        observations += (entry.resource?.observations ?? []).map {
          Self.located($0, at: entry.fullUrl)
        }
      }
    default: break
    }
    if let contained = try container.optionalValue([FHIRResource].self, at: .contained) {
      observations += contained.flatMap(\.observations).map { inner in
        // Only the containing resource can refer to a contained resource.
        let names = inner.observation.id.map { ["\(place)#\($0)"] } ?? []
        return Located(observation: inner.observation, container: place, names: names)
      }
      let patients = contained.compactMap(\.patient)
      for index in observations.indices where observations[index].container == place {
        observations[index].observation.subject?.resolve(patients, in: place)
      }
    }
    self.observations = observations
    self.patient = patient
  }

  private static func located(_ inner: Located, at fullUrl: String?) -> Located {
    guard let fullUrl else { return inner }
    var result = inner
    let isContained = inner.container != inner.observation.place
    if !isContained { result.names.append(fullUrl) }
    if fullUrl.hasPrefix("http://") || fullUrl.hasPrefix("https://") {
      // The address ends with the type and the id.
      let parts = fullUrl.split(separator: "/", omittingEmptySubsequences: false).dropLast(2)
      result.server = parts.joined(separator: "/") + "/"
    }
    return result
  }
}
