import Foundation

/// Reads audiograms from HL7 FHIR: a Bundle or an Observation.
///
/// | form | content of an audiogram |
/// |---|---|
/// | LOINC panel 89015-2 | the components of the panel, and the observations that the panel references as members |
/// | Personal Health Records, "Audiogram" | the observations "hearingSensitivity" that the audiogram references |
/// | single thresholds | all single thresholds with the same day in the document |
///
/// An observation that was entered in error, cancelled or measured by bone conduction is ignored.
/// The members of an ignored observation are also ignored. A document with thresholds of more than
/// one person is an error.
enum FHIRDocument {
  static func profiles(in data: Data) throws(UnreadableDocument) -> [ImportedProfile] {
    let all = try JSONDocument.read(FHIRResource.self, from: data).observations
    try checkSubjects(all)
    let direct = try all.map(FHIRReferences(all).members)
    let members = membersByPanel(all, direct)
    let memberIndices = Set(members.values.joined())
    var panels: [[Int]] = []
    var singles: [Int] = []
    for index in all.indices where !memberIndices.contains(index) && !all[index].isVoid {
      if all[index].isSinglePoint, members[index] == nil {
        singles.append(index)
      } else {
        panels.append([index] + (members[index] ?? []))
      }
    }
    let days = Dictionary(grouping: singles) { all[$0].time?.day }.values
    var profiles: [ImportedProfile] = []
    for indices in panels + days.sorted(by: { $0[0] < $1[0] }) {
      if let profile = try profile(of: indices.map { all[$0] }) { profiles.append(profile) }
    }
    guard !profiles.isEmpty else { throw .noAudiogram(reason: reason(all)) }
    let missing = zip(all, direct).map { $0.isVoid ? 0 : $0.members.count - $1.count }
    let counts = [
      ("bone-conduction observations not read", all.count { $0.isBoneConduction }),
      ("members that are missing or not about hearing", missing.reduce(0, +)),
    ]
    let notes = counts.filter { $1 > 0 }.map { "\($0): \($1)" }
    for index in profiles.indices { profiles[index].notes += notes }
    return profiles
  }

  private static func profile(
    of observations: [FHIRObservation]
  ) throws(UnreadableDocument) -> ImportedProfile? {
    var points = PointCollection()
    for observation in observations where !observation.isVoid { try observation.add(to: &points) }
    let time = observations.lazy.compactMap(\.time).first
    var found = points.measurement(at: time, position: observations[0].position)
    if observations.contains(where: { !$0.isVoid && $0.isPreliminary }) {
      found?.notes.append("the result is preliminary: it may change")
    }
    return found
  }

  /// Returns the direct and indirect members of every panel. A panel is an observation that has
  /// members, but is not a member of another observation. If several panels reference the same
  /// member, the member belongs to the first panel that is not void (``FHIRObservation/isVoid``).
  /// `direct` contains the direct members of every observation.
  private static func membersByPanel(_ all: [FHIRObservation], _ direct: [[Int]]) -> [Int: [Int]] {
    let inner = Set(direct.joined())
    var members: [Int: [Int]] = [:]
    var seen: Set<Int> = []
    // The members of a void observation are ignored. A void observation was entered in error,
    // cancelled or measured by bone conduction. The members are ignored even if the void
    // observation is itself a member of another observation.
    let outer = all.indices.filter {
      !direct[$0].isEmpty && (all[$0].isVoid || !inner.contains($0))
    }
    let valid = outer.filter { !all[$0].isVoid }
    for index in valid + outer.filter({ all[$0].isVoid }) {
      seen.insert(index)
      var found: [Int] = []
      var waiting = Array(direct[index].reversed())
      while let next = waiting.popLast() {
        guard seen.insert(next).inserted else { continue }
        found.append(next)
        if !all[next].isVoid { waiting += direct[next].reversed() }
      }
      members[index] = found
    }
    return members
  }

  private static func checkSubjects(_ observations: [FHIRObservation]) throws(UnreadableDocument) {
    var person = FHIRPerson()
    for observation in observations where !observation.isVoid {
      guard let subject = observation.subject, !person.add(subject) else { continue }
      throw .invalid(
        position: observation.position(of: "subject"),
        reason: "\(subject.text.inQuotationMarks), but earlier thresholds are of "
          + (person.text ?? "").inQuotationMarks)
    }
  }

  private static func reason(_ observations: [FHIRObservation]) -> String {
    if observations.isEmpty { return "no observation in the HL7 FHIR document is about hearing" }
    let voids = observations.count { $0.isVoid }
    return voids == 0
      ? "the observations about hearing in the HL7 FHIR document have no values"
      : "no audiogram in the HL7 FHIR document: \(voids) of \(observations.count) observations "
        + "about hearing are entered in error, cancelled or measured by bone conduction"
  }
}
