import Foundation

/// Reads audiograms from HL7 FHIR: a Bundle or an Observation.
///
/// | form | what makes an audiogram |
/// |---|---|
/// | LOINC panel 89015-2 | its components and the observations that it names as members |
/// | Personal Health Records, "Audiogram" | the observations "hearingSensitivity" that it names |
/// | thresholds on their own | all of one day, as the document writes the day |
///
/// Observations that are entered in error or cancelled are passed over, with their members. A
/// document that holds the hearing of more than one person is an error.
enum FHIRDocument {
  static func profiles(in data: Data) throws(UnreadableDocument) -> [ImportedProfile] {
    let all = try JSONDocument.read(FHIRResource.self, from: data).observations
    try checkSubjects(all.map(\.observation))
    let members = try membersByPanel(all)
    let taken = Set(members.values.joined())
    var profiles: [ImportedProfile] = []
    var loners: [[Int]] = []
    var groups: [CalendarDay?: Int] = [:]
    for (index, named) in all.enumerated() where !taken.contains(index) {
      let observation = named.observation
      guard !observation.isVoid else { continue }
      if observation.isSinglePoint, members[index] == nil {
        let group = groups[observation.time?.day] ?? loners.count
        groups[observation.time?.day] = group
        if group == loners.count { loners.append([]) }
        loners[group].append(index)
      } else {
        let parts = [index] + (members[index] ?? [])
        if let profile = try profile(of: parts.map { all[$0].observation }) {
          profiles.append(profile)
        }
      }
    }
    for group in loners {
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
    return ImportedProfile(profile: profile, day: time?.day, place: first.place)
  }

  /// The members, and the members of these, of each observation that names some and that no other
  /// names; what several name belongs to the first of them that is not withdrawn.
  private static func membersByPanel(
    _ all: [FHIRResource.Named]
  ) throws(UnreadableDocument) -> [Int: [Int]] {
    var indices: [String: Int] = [:]
    for (index, named) in all.enumerated() {
      for name in named.names { indices[name] = index }
    }
    let direct = all.map { named in
      named.observation.members.compactMap { reference in
        indices[reference] ?? indices[String(reference.split(separator: "/_history").first ?? "")]
      }
    }
    let inner = Set(direct.joined())
    var members: [Int: [Int]] = [:]
    var seen: Set<Int> = []
    let outer = all.indices.filter { !direct[$0].isEmpty && !inner.contains($0) }
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
    _ observations: [FHIRObservation]
  ) throws(UnreadableDocument) {
    var first: String?
    for observation in observations where !observation.isVoid {
      guard let subject = observation.subject else { continue }
      if let first, first != subject {
        throw .invalid(
          place: [observation.place, "subject"].filter { !$0.isEmpty }.joined(separator: "."),
          reason:
            "\(subject.inQuotationMarks), but the thresholds before are of \(first.inQuotationMarks)"
        )
      }
      first = subject
    }
  }

  private static func reason(_ observations: [FHIRObservation]) -> String {
    let voids = observations.count { $0.isVoid }
    if observations.isEmpty { return "no observation in the HL7 FHIR document is about hearing" }
    if voids > 0 {
      return "no audiogram in the HL7 FHIR document: \(voids) of \(observations.count) "
        + "observations about hearing are entered in error or cancelled"
    }
    return "the observations about hearing in the HL7 FHIR document hold no value"
  }
}
