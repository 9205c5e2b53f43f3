/// Resolves references between the observations of a document, as HL7 FHIR defines it for Bundles.
///
/// - "#k" is a resource that the same resource contains.
/// - "Observation/a" is relative to the server in the `fullUrl` of the entry. Without a `fullUrl`,
///   it is the only observation of the document with this id.
/// - Any other reference is the `fullUrl` of an entry.
///
/// A version ("/_history/2") is ignored if the document does not contain it.
struct FHIRReferences {
  /// The observations with one path.
  private struct Candidates {
    /// The last observation and the number of observations for each server.
    var byServer: [String?: (last: Int, count: Int)] = [:]
    var all: (last: Int, count: Int) = (-1, 0)

    mutating func add(_ index: Int, on server: String?) {
      guard byServer[server]?.last != index else { return }
      byServer[server] = (index, (byServer[server]?.count ?? 0) + 1)
      if all.last != index { all = (index, all.count + 1) }
    }

    func matching(_ server: String?) -> (last: Int, count: Int)? {
      server == nil ? all : byServer[server] ?? byServer[nil]
    }
  }

  private var candidates: [String: Candidates] = [:]

  init(_ observations: [FHIRResource.Located]) {
    for (index, located) in observations.enumerated() {
      for name in located.names {
        candidates[name.path, default: Candidates()].add(index, on: name.server)
      }
    }
  }

  /// Returns the index of the observation that `reference` in `source` refers to. Returns nil if
  /// the document does not contain it.
  func index(
    of reference: String, from source: FHIRResource.Located
  ) throws(UnreadableDocument) -> Int? {
    guard let written = FHIRAddress(reference) else { return nil }
    let address =
      written.path.hasPrefix("#")
      ? FHIRAddress(server: nil, path: source.container + written.path)
      : written.relative(to: source.server)
    guard let found = find(address) ?? find(address.unversioned) else { return nil }
    guard found.count == 1 else {
      throw .invalid(
        position: source.observation.position(of: "hasMember"),
        reason: "\(reference.inQuotationMarks) is ambiguous: \(found.count) observations match")
    }
    return found.last
  }

  private func find(_ address: FHIRAddress) -> (last: Int, count: Int)? {
    candidates[address.path]?.matching(address.server)
  }
}
