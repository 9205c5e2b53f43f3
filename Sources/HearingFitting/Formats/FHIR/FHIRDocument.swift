import Foundation

/// Reads audiograms from HL7 FHIR: a Bundle or an Observation.
///
/// | form | content of an audiogram |
/// |---|---|
/// | LOINC panel 89015-2 | its components and the observations that it references as members |
/// | Personal Health Records, "Audiogram" | the observations "hearingSensitivity" that it references |
/// | single thresholds | all thresholds of one day, as the document states the day |
///
/// An observation is ignored if it was entered in error or cancelled. The members of such an
/// observation are ignored as well. A document with thresholds of more than one person is an error.
enum FHIRDocument {
  static func profiles(in data: Data) throws(UnreadableDocument) -> [ImportedProfile] {
    let all = try JSONDocument.read(FHIRResource.self, from: data).observations
    try checkSubjects(all)
    let members = try membersByPanel(all)
    let memberIndices = Set(members.values.joined())
    var profiles: [ImportedProfile] = []
    var singles: [[Int]] = []
    var groups: [CalendarDay?: Int] = [:]
    for (index, located) in all.enumerated() where !memberIndices.contains(index) {
      let observation = located.observation
      guard !observation.isVoid else { continue }
      if observation.isSinglePoint, members[index] == nil {
        let group = groups[observation.time?.day] ?? singles.count
        groups[observation.time?.day] = group
        if group == singles.count { singles.append([]) }
        singles[group].append(index)
      } else {
        let parts = [index] + (members[index] ?? [])
        if let profile = try profile(of: parts.map { all[$0].observation }) {
          profiles.append(profile)
        }
      }
    }
    for group in singles {
      if let profile = try profile(of: group.map { all[$0].observation }) {
        profiles.append(profile)
      }
    }
    guard !profiles.isEmpty else { throw .noAudiogram(reason: reason(all.map(\.observation))) }
    return profiles
  }

  private static func profile(
    of observations: [FHIRObservation]
  ) throws(UnreadableDocument) -> ImportedProfile? {
    var points = PointCollection()
    for observation in observations where !observation.isVoid {
      try observation.add(to: &points)
    }
    let time = observations.lazy.compactMap(\.time).first
    guard let first = observations.first, let profile = points.profile(measuredAt: time?.date)
    else { return nil }
    let isPreliminary = observations.contains { !$0.isVoid && $0.isPreliminary }
    return ImportedProfile(
      profile: profile, day: time?.day, position: first.position,
      notes: isPreliminary ? ["the result is preliminary: it may change"] : [])
  }

  /// For each observation that has members and is not a member itself, its direct and indirect
  /// members. If several observations reference the same member, the member belongs to the first
  /// valid observation.
  private static func membersByPanel(
    _ all: [FHIRResource.Located]
  ) throws(UnreadableDocument) -> [Int: [Int]] {
    let references = FHIRReferences(all)
    var direct: [[Int]] = []
    for located in all {
      var indices: [Int] = []
      for member in located.observation.members {
        do throws(UnreadableDocument) {
          if let index = try references.index(of: member, from: located) { indices.append(index) }
        } catch {
          guard located.observation.isVoid else { throw error }
        }
      }
      direct.append(indices)
    }
    let inner = Set(direct.joined())
    var members: [Int: [Int]] = [:]
    var seen: Set<Int> = []
    // If an observation is void, its members are void too, even if the observation is a member
    // itself.
    let outer = all.indices.filter {
      !direct[$0].isEmpty && (all[$0].observation.isVoid || !inner.contains($0))
    }
    let valid = outer.filter { !all[$0].observation.isVoid }
    for index in valid + outer.filter({ all[$0].observation.isVoid }) {
      seen.insert(index)
      var found: [Int] = []
      var waiting = Array(direct[index].reversed())
      while let next = waiting.popLast() {
        guard seen.insert(next).inserted else { continue }
        found.append(next)
        if !all[next].observation.isVoid { waiting += direct[next].reversed() }
      }
      members[index] = found
    }
    return members
  }

  private static func checkSubjects(
    _ observations: [FHIRResource.Located]
  ) throws(UnreadableDocument) {
    var person = FHIRPerson()
    for located in observations where !located.observation.isVoid {
      guard let subject = located.subject, !person.add(subject) else { continue }
      throw .invalid(
        position: located.observation.position(of: "subject"),
        reason: "\(subject.text.inQuotationMarks), but earlier thresholds are of "
          + (person.text ?? "").inQuotationMarks)
    }
  }

  private static func reason(_ observations: [FHIRObservation]) -> String {
    let voids = observations.count { $0.isVoid }
    if observations.isEmpty { return "no observation in the HL7 FHIR document is about hearing" }
    if voids > 0 {
      return "no audiogram in the HL7 FHIR document: \(voids) of \(observations.count) "
        + "observations about hearing are entered in error or cancelled"
    }
    return "the observations about hearing in the HL7 FHIR document have no values"
  }
}
