/// The subject of an HL7 FHIR Observation: a reference to a person, identifiers, or both.
struct FHIRSubject: Decodable {
  /// The reference to the person, as written in the document. If the document contains no
  /// reference, `text` is the identifier of the person.
  let text: String
  /// The address of the person; nil if only identifiers are known.
  private(set) var address: FHIRAddress?
  private(set) var identifiers: [FHIRPatient.Identifier]
  /// The names and the date of birth of a contained patient; empty if unknown.
  private(set) var nameAndBirthDate = ""

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: FHIRKey.self)
    let reference = try container.optionalValue(String.self, at: .reference)
    let identifier = try container.optionalValue(FHIRPatient.Identifier.self, at: .identifier)
    identifiers = [identifier].compactMap { $0 }.filter { $0.value != nil }
    address = reference.flatMap(FHIRAddress.init)?.unversioned
    text = reference ?? identifiers.first?.value ?? ""
  }

  /// If the reference refers to a contained patient, replaces the reference with the patient's
  /// data. A contained patient without data counts as a different person in each resource.
  ///
  /// - Parameters:
  ///   - patients: The patients that the resource contains, by their ids.
  ///   - position: The position of the resource in the document.
  mutating func resolve(_ patients: [String: FHIRPatient], in position: String) {
    guard let path = address?.path, path.hasPrefix("#") else { return }
    let patient = patients[String(path.dropFirst())] ?? FHIRPatient()
    identifiers += patient.identifiers
    nameAndBirthDate = patient.nameAndBirthDate
    let isUnknown = identifiers.isEmpty && nameAndBirthDate.isEmpty
    address = isUnknown ? FHIRAddress(server: nil, path: position + path) : nil
  }

  /// If the address of the person is relative, completes the address with the server.
  mutating func locate(on server: String?) { address = address?.relative(to: server) }
}

/// The data in an HL7 FHIR Patient that identify a person.
struct FHIRPatient: Decodable {
  struct Identifier: Decodable {
    let system: String?
    let value: String?
  }

  private struct Name: Decodable {
    let text: String?
    let family: String?
    let given: [String?]?
  }

  /// The maximum number of identifiers of a patient. The parser ignores all identifiers after the
  /// first 32. Every observation of the patient stores a copy of the identifiers. Therefore a limit
  /// is necessary.
  private static let maximumIdentifiers = 32
  /// The maximum length in bytes of ``nameAndBirthDate``; a longer text is ignored.
  private static let maximumNameLength = 2048

  /// The identifiers of the patient that have a value.
  private(set) var identifiers: [Identifier] = []
  /// The names and the date of birth as one text. The text is empty if the patient has neither a
  /// name nor a date of birth, or if the text is too long.
  private(set) var nameAndBirthDate = ""

  /// Creates a patient without data.
  init() {}

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: FHIRKey.self)
    let all = try container.optionalValue([Identifier].self, at: .identifier) ?? []
    identifiers = all.prefix(Self.maximumIdentifiers).filter { $0.value != nil }
    let names = try container.optionalValue([Name].self, at: .name) ?? []
    let parts = names.flatMap { [$0.text, $0.family] + ($0.given ?? []) }
    let birthDate = try container.optionalValue(String.self, at: .birthDate)
    let text = (parts + [birthDate]).compactMap { $0 }.joined(separator: ", ")
    nameAndBirthDate = text.utf8.count <= Self.maximumNameLength ? text : ""
  }
}

/// One person, as described by the subjects of several observations.
struct FHIRPerson {
  /// For each path in an address of the person, the servers of the addresses with this path.
  private var servers: [String: Set<String?>] = [:]
  /// The values of the identifiers, for each identifier system.
  private var identifiers: [String: Set<String>] = [:]
  /// The name and the date of birth of the person, in every form that the document contains.
  private var names: Set<String> = []
  /// The text of the first subject, for error messages.
  private(set) var text: String?

  /// Adds the subject of an observation to the data of the person.
  ///
  /// - Returns: True if the subject may be the same person as the earlier subjects. An equal
  ///   address or an equal identifier means the same person. Without an equal address or
  ///   identifier, a different address, name or date of birth means another person. A different
  ///   identifier in the same identifier system also means another person.
  mutating func add(_ subject: FHIRSubject) -> Bool {
    let isSame =
      subject.address.map(isKnown) == true
      || subject.identifiers.contains {
        identifiers[$0.system ?? ""]?.contains($0.value ?? "") == true
      }
    let differs =
      (subject.address != nil && !servers.isEmpty)
      || subject.identifiers.contains { identifiers[$0.system ?? ""] != nil }
      || (!subject.nameAndBirthDate.isEmpty && !names.isEmpty
        && !names.contains(subject.nameAndBirthDate))
    guard isSame || !differs else { return false }
    if let address = subject.address { servers[address.path, default: []].insert(address.server) }
    for identifier in subject.identifiers {
      identifiers[identifier.system ?? "", default: []].insert(identifier.value ?? "")
    }
    if !subject.nameAndBirthDate.isEmpty { names.insert(subject.nameAndBirthDate) }
    text = text ?? subject.text
    return true
  }

  private func isKnown(_ address: FHIRAddress) -> Bool {
    guard let known = servers[address.path] else { return false }
    return address.server == nil || known == [nil] || known.contains(address.server)
  }
}
