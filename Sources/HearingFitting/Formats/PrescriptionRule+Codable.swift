extension PrescriptionRule: Codable {
  /// Decodes a rule from its name. If the name is unknown, throws a `DecodingError` that lists the
  /// known rules.
  public init(from decoder: any Decoder) throws {
    let name = try String(from: decoder)
    guard let rule = PrescriptionRule(name: name) else {
      let known = Self.all.map(\.name).joined(separator: ", ")
      let reason = "unknown rule \(name.inQuotationMarks); the known rules are \(known)"
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: reason))
    }
    self = rule
  }

  /// Encodes the rule's name.
  public func encode(to encoder: any Encoder) throws { try name.encode(to: encoder) }
}
