/// A resource of HL7 FHIR: what in it, and in the resources that it contains, says something about
/// hearing.
struct FHIRResource: Decodable {
  private enum Key: String, CodingKey {
    case resourceType, contained, entry
  }

  private struct Entry: Decodable {
    let fullUrl: String?
    let resource: FHIRResource?
  }

  /// An observation with the names that references call it by.
  struct Named {
    let observation: FHIRObservation
    let names: [String]
  }

  let observations: [Named]

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    var observations: [Named] = []
    switch try? container.decode(String.self, forKey: .resourceType) {
    case "Observation":
      if let observation = try FHIRObservation(from: decoder) {
        let names = observation.id.map { [$0, "Observation/\($0)", "#\($0)"] } ?? []
        observations.append(Named(observation: observation, names: names))
      }
    case "Bundle":
      for entry in try container.optionalValue([Entry].self, at: .entry) ?? [] {
        observations += (entry.resource?.observations ?? []).map {
          Named(observation: $0.observation, names: $0.names + [entry.fullUrl].compactMap { $0 })
        }
      }
    default: break
    }
    if let contained = try container.optionalValue([FHIRResource].self, at: .contained) {
      observations += contained.flatMap(\.observations)
    }
    self.observations = observations
  }
}
