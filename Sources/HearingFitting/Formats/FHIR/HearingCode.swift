/// The meaning of the code of an observation or of a component.
enum HearingCode: Sendable, Equatable {
  /// A panel of thresholds: LOINC 89015-2, or "Audiogram" of Personal Health Records.
  case panel
  /// The threshold of an ear at a frequency in Hz. LOINC has a code for each ear and frequency. In
  /// an observation with the code `sensitivity`, a separate component contains the frequency. In
  /// this case, `frequency` is nil.
  case threshold(Ear, frequency: Double?)
  /// The thresholds of both ears at one frequency: "hearingSensitivity" of Personal Health Records.
  case sensitivity
  /// The frequency of an observation with the code `sensitivity`.
  case frequency

  /// The LOINC codes of the left and the right ear, by frequency in Hz.
  ///
  /// Source: the LOINC codes with names such as "Hearing threshold Ear - left --500 Hz".
  private static let thresholds: [(frequency: Double, left: String, right: String)] = [
    (250, "91375-6", "91374-9"), (500, "89024-4", "89025-1"), (750, "91379-8", "91378-0"),
    (1000, "89016-0", "89017-8"), (1500, "91373-1", "91372-3"), (2000, "89018-6", "89019-4"),
    (3000, "89020-2", "89021-0"), (4000, "89022-8", "89023-6"), (5000, "91377-2", "91376-4"),
    (6000, "89026-9", "89027-7"), (8000, "89028-5", "89029-3"),
  ]

  private static let personal: [String: HearingCode] = [
    "audiogram": .panel, "hearingsensitivity": .sensitivity, "frequency": .frequency,
    "leftearsensitivity": .threshold(.left, frequency: nil),
    "rightearsensitivity": .threshold(.right, frequency: nil),
  ]

  /// The meaning of a code in a coding system; nil if the code is not about hearing.
  ///
  /// If the coding system is missing, the code alone defines the meaning.
  init?(_ coding: FHIRConcept.Coding) {
    let system = coding.system?.lowercased() ?? ""
    let isLOINC = system.contains("loinc.org") || system.hasSuffix("2.16.840.1.113883.6.1")
    let isPersonal = ["observation-pghd-codes", "hearing-sensitivity-codes"]
      .contains(where: system.hasSuffix)
    guard let code = coding.code,
      let known = (isLOINC || system.isEmpty ? Self.inLOINC(code) : nil)
        ?? (isPersonal || system.isEmpty ? Self.personal[code.lowercased()] : nil)
    else { return nil }
    self = known
  }

  private static func inLOINC(_ code: String) -> HearingCode? {
    if code == "89015-2" { return .panel }
    let known = thresholds.first { $0.left == code || $0.right == code }
    return known.map { .threshold($0.left == code ? .left : .right, frequency: $0.frequency) }
  }
}

/// A CodeableConcept of HL7 FHIR: one meaning with codes in one or more systems.
struct FHIRConcept: Decodable {
  struct Coding: Decodable {
    let system: String?
    let code: String?
    let display: String?
  }

  let coding: [Coding]?
  let text: String?

  /// Whether the text or the display of a code contains a word. Upper and lower case are treated as
  /// equal.
  func mentions(_ word: String) -> Bool {
    ((coding ?? []).map(\.display) + [text]).contains { $0?.lowercased().contains(word) == true }
  }

  /// The first code about hearing; nil if there is no such code.
  var hearing: HearingCode? { coding?.lazy.compactMap { HearingCode($0) }.first }
}
