/// The address of an HL7 FHIR resource: a server, and a path such as "Observation/a".
struct FHIRAddress: Hashable {
  /// The base address of the server, with a slash at the end; nil if unknown.
  var server: String?
  /// The type and the id of the resource, with or without a version, such as
  /// "Observation/a/_history/2". The path may also be a URN.
  let path: String
}

extension FHIRAddress {
  /// The maximum length of an address in bytes; longer addresses are ignored.
  private static let maximumLength = 2048

  /// Parses a reference to a resource, or the `fullUrl` of a Bundle entry. Returns nil if the text
  /// is too long.
  init?(_ text: String) {
    guard text.utf8.count <= Self.maximumLength else { return nil }
    guard text.hasPrefix("http://") || text.hasPrefix("https://") else {
      self.init(server: nil, path: text)
      return
    }
    let (base, version) = Self.split(text)
    let parts = base.split(separator: "/", omittingEmptySubsequences: false)
    self.init(
      server: parts.dropLast(2).joined(separator: "/") + "/",
      path: parts.suffix(2).joined(separator: "/") + version)
  }

  /// This address without the version of the resource.
  var unversioned: FHIRAddress { FHIRAddress(server: server, path: String(Self.split(path).base)) }

  /// If this address is relative, returns the complete address on `server`. Returns any other
  /// address unchanged.
  func relative(to server: String?) -> FHIRAddress {
    self.server == nil && !path.contains(":") && !path.hasPrefix("#")
      ? FHIRAddress(server: server, path: path) : self
  }

  private static func split(_ text: String) -> (base: Substring, version: Substring) {
    let start = text.firstRange(of: "/_history")?.lowerBound ?? text.endIndex
    return (text[..<start], text[start...])
  }
}
