/// A CodeableConcept of HL7 FHIR: one meaning, in the codes of one or more systems.
struct FHIRConcept: Decodable {
  struct Coding: Decodable {
    let system: String?
    let code: String?
  }

  let coding: [Coding]?

  /// What the first code that says something about hearing says.
  var hearing: HearingCode? {
    for coding in coding ?? [] {
      guard let code = coding.code, let known = HearingCode(code: code, system: coding.system)
      else { continue }
      return known
    }
    return nil
  }

  /// Whether one of the codes is `code`.
  func contains(_ code: String) -> Bool {
    coding?.contains { $0.code == code } ?? false
  }
}
