/// Resolves references between the observations of a document, by the rules of HL7 FHIR for
/// Bundles.
///
/// - "#k" refers to a resource inside the same resource.
/// - "Observation/a" is relative to the server in the `fullUrl` of the entry. Without a `fullUrl`,
///   it refers to the only observation of the document with this id.
/// - Any other reference is the `fullUrl` of an entry.
///
/// A version in a reference ("/_history/2") is ignored if the document does not contain that
/// version.
struct FHIRReferences {
  /// The observations that have the same path.
  private struct Candidates {
    /// For each server, the last observation and the number of observations.
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
  /// the document does not contain this observation.
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
