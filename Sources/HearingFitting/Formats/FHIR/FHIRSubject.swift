/// The person of an HL7 FHIR Observation: a reference, an identifier, or both.
struct FHIRSubject: Decodable {
  private enum Key: String, CodingKey {
    case reference, identifier
  }

  private(set) var reference: String?
  private(set) var identifier: String?

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    reference = try container.optionalValue(String.self, at: .reference)
    identifier = try container.optionalValue(FHIRPatient.Identifier.self, at: .identifier)?.text
  }

  /// The reference, or else the identifier.
  var name: String? { reference ?? identifier }

  /// Whether this and another subject are certainly not the same person. Equal identifiers mean the
  /// same person, even if the references differ.
  func differs(from other: FHIRSubject) -> Bool {
    if let identifier, let known = other.identifier { return identifier != known }
    if let reference, let known = other.reference { return reference != known }
    return false
  }

  /// Replaces a reference to a contained patient by the patient's identity. A patient about whom
  /// nothing is stated is another person in every resource.
  ///
  /// - Parameters:
  ///   - patients: The patients that the resource contains.
  ///   - place: The path of the resource.
  mutating func resolve(_ patients: [(id: String, identity: String)], in place: String) {
    guard let reference, reference.hasPrefix("#") else { return }
    let identity = patients.first { "#\($0.id)" == reference }?.identity ?? ""
    self.reference = identity.isEmpty ? place + reference : identity
  }
}

/// The identity that an HL7 FHIR Patient states.
struct FHIRPatient: Decodable {
  struct Identifier: Decodable {
    let system: String?
    let value: String?

    /// System and value; nil if there is no value.
    var text: String? { value.map { [system, $0].compactMap { $0 }.joined(separator: "|") } }
  }

  private struct Name: Decodable {
    let text: String?
    let family: String?
    let given: [String]?
  }

  private let identifier: [Identifier]?
  private let name: [Name]?
  private let birthDate: String?

  /// Identifiers, names and date of birth as one text, which is empty if none is stated.
  var identity: String {
    let identifiers = (identifier ?? []).compactMap(\.text)
    let names = (name ?? []).flatMap { [$0.text, $0.family].compactMap { $0 } + ($0.given ?? []) }
    return (identifiers + names + [birthDate].compactMap { $0 }).joined(separator: ", ")
  }
}
