/// Resolves references between the observations of a document, according to the rules of HL7 FHIR
/// for Bundles.
///
/// - The reference "#k" means the contained resource with the id "k". The contained resource and
///   the reference must be in the same resource.
/// - The reference "Observation/a" is relative to the server in the `fullUrl` of the Bundle entry.
///   If the entry has no `fullUrl`, only one observation of the document may have the id "a".
/// - Any other reference must be equal to the `fullUrl` of a Bundle entry.
///
/// A version in a reference ("/_history/2") is ignored if the document does not contain that
/// version.
struct FHIRReferences {
  /// For each address, the indices of the observations with this address.
  private var byAddress: [FHIRAddress: Set<Int>] = [:]
  /// For each path, the indices of the observations with this path, regardless of the server.
  private var byPath: [String: Set<Int>] = [:]

  init(_ observations: [FHIRObservation]) {
    for (index, observation) in observations.enumerated() {
      for address in observation.addresses {
        byAddress[address, default: []].insert(index)
        byPath[address.path, default: []].insert(index)
      }
    }
  }

  /// Returns the indices of the observations that `source` refers to as its members. Ignores
  /// members that the document does not contain. If `source` is void (``FHIRObservation/isVoid``),
  /// also ignores ambiguous references.
  func members(of source: FHIRObservation) throws(UnreadableDocument) -> [Int] {
    var indices: [Int] = []
    for reference in source.members {
      guard let found = matches(reference, from: source) else { continue }
      if found.count == 1 {
        indices += found
      } else if !source.isVoid {
        throw .invalid(
          position: source.position(of: "hasMember"),
          reason: "\(reference.inQuotationMarks) is ambiguous: \(found.count) observations match")
      }
    }
    return indices
  }

  private func matches(_ reference: String, from source: FHIRObservation) -> Set<Int>? {
    guard let written = FHIRAddress(reference) else { return nil }
    let address =
      written.path.hasPrefix("#")
      ? FHIRAddress(server: nil, path: source.container + written.path)
      : written.relative(to: source.server)
    return matches(address) ?? matches(address.unversioned)
  }

  private func matches(_ address: FHIRAddress) -> Set<Int>? {
    address.server == nil
      ? byPath[address.path]
      : byAddress[address] ?? byAddress[FHIRAddress(server: nil, path: address.path)]
  }
}
