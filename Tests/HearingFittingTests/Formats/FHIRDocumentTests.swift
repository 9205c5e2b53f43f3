import Foundation
import XCTest

@testable import HearingFitting

final class FHIRDocumentTests: XCTestCase {
  private func all(_ json: String) throws(UnreadableDocument) -> [ImportedProfile] {
    try HearingProfile.all(in: Data(json.utf8))
  }

  private func assertUnreadable(_ json: String, _ error: String, line: UInt = #line) {
    HearingFittingTests.assertUnreadable(saying: error, line: line) {
      () throws(UnreadableDocument) in try self.all(json)
    }
  }

  private func code(_ code: String, system: String = "http://loinc.org") -> String {
    #""code": {"coding": [{"system": "http://snomed.info/sct", "code": "1"}, "#
      + #"{"system": "\#(system)", "code": "\#(code)"}]}"#
  }

  private func quantity(_ value: String, _ unit: String = "dB", more: String = "") -> String {
    #""valueQuantity": {"value": \#(value), "unit": "\#(unit)"\#(more)}"#
  }

  private func threshold(_ loinc: String, _ value: String) -> String {
    "{\(code(loinc)), \(quantity(value))}"
  }

  private func panel(_ components: String..., more: String = "") -> String {
    #"{"resourceType": "Observation", "status": "final", \#(code("89015-2")), "#
      + #""effectiveDateTime": "2026-06-12T23:25:00-08:00"\#(more), "#
      + #""component": [\#(components.joined(separator: ","))]}"#
  }

  private func single(
    _ loinc: String, _ value: String, id: String = "x", time: String = "2024-05-06T10:00:00Z",
    more: String = ""
  ) -> String {
    let status = more.contains("\"status\"") ? "" : #""status": "final", "#
    return #"{"resourceType": "Observation", "id": "\#(id)", \#(status)\#(code(loinc)), "#
      + #""effectiveDateTime": "\#(time)", \#(quantity(value))\#(more)}"#
  }

  private func sensitivity(
    _ frequency: String, left: String?, right: String?, id: String = "x",
    start: String = "2023-12-01T05:33:42Z"
  ) -> String {
    let system = "http://hl7.org/fhir/uv/phr/CodeSystem/hearing-sensitivity-codes"
    var parts = ["{\(code("frequency", system: system)), \(quantity(frequency, "Hz"))}"]
    if let left {
      parts.append("{\(code("leftEarSensitivity", system: system)), \(quantity(left))}")
    }
    if let right {
      parts.append("{\(code("rightEarSensitivity", system: system)), \(quantity(right))}")
    }
    return #"{"resourceType": "Observation", "id": "\#(id)", "status": "final", "#
      + code(
        "hearingSensitivity", system: "http://hl7.org/fhir/uv/phr/CodeSystem/observation-pghd-codes"
      )
      + #", "effectivePeriod": {"start": "\#(start)"}, "component": [\#(parts.joined(separator: ","))]}"#
  }

  private func bundle(_ resources: String...) -> String {
    let entries = resources.enumerated().map {
      #"{"fullUrl": "urn:uuid:\#($0.offset)", "resource": \#($0.element)}"#
    }
    return #"{"resourceType": "Bundle", "type": "collection", "#
      + #""entry": [\#(entries.joined(separator: ","))]}"#
  }

  func test_allProfiles_loincPanel_readsEveryCode() throws {
    let codes: [(Double, String, String)] = [
      (250, "91375-6", "91374-9"), (500, "89024-4", "89025-1"), (750, "91379-8", "91378-0"),
      (1000, "89016-0", "89017-8"), (1500, "91373-1", "91372-3"), (2000, "89018-6", "89019-4"),
      (3000, "89020-2", "89021-0"), (4000, "89022-8", "89023-6"), (5000, "91377-2", "91376-4"),
      (6000, "89026-9", "89027-7"), (8000, "89028-5", "89029-3"),
    ]
    let components = codes.enumerated().flatMap { index, code in
      [threshold(code.1, "\(index)"), threshold(code.2, "\(index + 50).5")]
    }
    let found = try all(panel(components.joined(separator: ",")))
    XCTAssertEqual(found.count, 1)
    XCTAssertEqual(found.first?.day?.description, "2026-06-12")
    let profile = try XCTUnwrap(found.first?.profile)
    XCTAssertEqual(
      profile.measuredAt, ISO8601DateFormatter().date(from: "2026-06-13T07:25:00Z"))
    for (index, code) in codes.enumerated() {
      XCTAssertEqual(profile.left?.threshold(at: code.0), Double(index))
      XCTAssertEqual(profile.right?.threshold(at: code.0), Double(index) + 50.5)
    }
    XCTAssertEqual(profile.left?.points.count, 11)
    XCTAssertEqual(profile.right?.points.count, 11)
  }

  func test_allProfiles_comparatorsInterpretationsAndAbsentValues_areRead() throws {
    let found = try all(
      panel(
        "{\(code("89016-0")), \(quantity("110", more: #", "comparator": ">""#))}",
        "{\(code("89024-4")), \(quantity("100", more: #", "comparator": ">=""#))}",
        "{\(code("89018-6")), \(quantity("-10", more: #", "comparator": "<=""#))}",
        #"{\#(code("89022-8")), \#(quantity("105", "dB[HL]")), "#
          + #""interpretation": [{"coding": [{"code": ">"}]}]}"#,
        #"{\#(code("89017-8")), "dataAbsentReason": {"text": "not done"}}"#,
        #"{\#(code("89019-4")), "valueInteger": 40}"#,
        #"{"code": {"text": "mood"}, "valueString": "fine"}"#,
        "{\(code("89023-6")), \(quantity("125", "dB HL"))}"))
    XCTAssertEqual(
      found.first?.profile.left?.points,
      [
        .init(frequency: 500, threshold: 100, isNoResponse: true),
        .init(frequency: 1000, threshold: 110, isNoResponse: true),
        .init(frequency: 2000, threshold: -10, isClamped: true),
        .init(frequency: 4000, threshold: 105, isNoResponse: true),
      ])
    XCTAssertEqual(
      found.first?.profile.right?.points,
      [
        .init(frequency: 2000, threshold: 40),
        .init(frequency: 4000, threshold: 120, isClamped: true),
      ])
  }

  func test_allProfiles_personalHealthRecord_joinsTheMembersOfAnAudiogram() throws {
    let parent =
      #"{"resourceType": "Observation", "id": "p", "status": "final", "#
      + code("Audiogram", system: "http://hl7.org/fhir/uv/phr/CodeSystem/observation-pghd-codes")
      + #", "effectivePeriod": {"start": "2023-12-01T05:33:42Z"}, "hasMember": ["#
      + #"{"reference": "Observation/b"}, {"reference": "urn:uuid:1"}, {"reference": "else/where"}, "#
      + #"{"reference": "Observation/c/_history/2"}]}"#
    let found = try all(
      bundle(
        parent, sensitivity("500", left: "30", right: "35", id: "a"),
        sensitivity("1000", left: "50", right: nil, id: "b", start: "2023-12-02T00:00:00Z"),
        sensitivity("4", left: nil, right: "45", id: "c").replacingOccurrences(
          of: "\"Hz\"", with: "\"kHz\""),
        sensitivity("500", left: "60", right: nil, id: "d"),
        sensitivity("250", left: "70", right: nil, id: "e")))
    XCTAssertEqual(found.map(\.position), ["entry[0].resource", "entry[4].resource"])
    XCTAssertEqual(found.first?.profile.left, try Audiogram([500: 30, 1000: 50]))
    XCTAssertEqual(found.first?.profile.right, try Audiogram([500: 35, 4000: 45]))
    XCTAssertEqual(found.last?.profile.left, try Audiogram([500: 60, 250: 70]))
    XCTAssertEqual(found.first?.profile.measuredAt, found.last?.profile.measuredAt)
  }

  func test_allProfiles_personalHealthRecordWithFrequenciesInAnyOrder_isRead() throws {
    let one = sensitivity("500", left: "30", right: "35")
    XCTAssertEqual(try all(one).first?.profile.left, try Audiogram([500: 30]))
    let system = "http://hl7.org/fhir/uv/phr/CodeSystem/hearing-sensitivity-codes"
    let frequency = "{\(code("frequency", system: system)), \(quantity("500", "Hz"))}"
    let left = "{\(code("leftEarSensitivity", system: system)), \(quantity("30"))}"
    let reversed = one.replacingOccurrences(
      of: "\(frequency),\(left)", with: "\(left),\(frequency)")
    XCTAssertNotEqual(reversed, one)
    XCTAssertEqual(try all(reversed).first?.profile.left, try Audiogram([500: 30]))
    let more = one.replacingOccurrences(
      of: "\"component\": [",
      with: "\"component\": [" + frequency.replacingOccurrences(of: "500", with: "250") + ","
        + left.replacingOccurrences(of: "30", with: "20") + ",")
    XCTAssertEqual(try all(more).first?.profile.left, try Audiogram([250: 20, 500: 30]))
    assertUnreadable(
      one.replacingOccurrences(of: frequency + ",", with: ""),
      "a threshold needs exactly one frequency, found 0")
  }

  func test_allProfiles_singleThresholds_areGroupedByTheStatedDay() throws {
    let found = try all(
      bundle(
        single("89016-0", "20"), #"{"resourceType": "Patient", "id": "x", "code": 5}"#,
        single("89017-8", "25", time: "2024-05-06T23:59:00-11:00"),
        single("89016-0", "30", time: "2025"), single("89024-4", "10", time: "2025-01")))
    XCTAssertEqual(found.map(\.day?.description), ["2024-05-06", "2025-01-01"])
    XCTAssertEqual(found.first?.profile.left, try Audiogram([1000: 20]))
    XCTAssertEqual(found.first?.profile.right, try Audiogram([1000: 25]))
    XCTAssertEqual(found.last?.profile.left, try Audiogram([1000: 30, 500: 10]))
  }

  func test_allProfiles_panelWithContainedMembers_isRead() throws {
    let found = try all(
      panel(
        more:
          ##", "hasMember": [{"reference": "#k"}], "contained": [\##(single("89016-0", "20", id: "k"))]"##
      ))
    XCTAssertEqual(found.count, 1)
    XCTAssertEqual(found.first?.profile.left, try Audiogram([1000: 20]))
    XCTAssertEqual(found.first?.day?.description, "2026-06-12")
  }

  func test_allProfiles_preliminaryResult_addsANote() throws {
    let preliminary = #", "status": "preliminary""#
    XCTAssertEqual(
      try all(bundle(single("89016-0", "30", more: preliminary))).map(\.notes),
      [["the result is preliminary: it may change"]])
    XCTAssertEqual(try all(bundle(single("89016-0", "30"))).map(\.notes), [[]])
  }

  func test_allProfiles_missingMember_addsANote() throws {
    let more =
      #", "hasMember": [{"reference": "Observation/x"}, "#
      + #"{"reference": "Observation/gone"}]"#
    let parent = panel(threshold("89017-8", "20"), more: more)
    XCTAssertEqual(
      try all(bundle(parent, single("89016-0", "30"))).map(\.notes),
      [["members that are missing or not about hearing: 1"]])
    let complete = parent.replacingOccurrences(of: "Observation/gone", with: "Observation/y")
    XCTAssertEqual(
      try all(bundle(complete, single("89016-0", "30"), single("89018-6", "35", id: "y")))
        .map(\.notes), [[]])
  }

  func test_allProfiles_cancelledObservations_areIgnored() throws {
    let void = #", "status": "entered-in-error""#
    let found = try all(
      bundle(
        single("89016-0", "99", more: void), single("89017-8", "20", id: "y"),
        panel(threshold("89016-0", "98"), more: #", "hasMember": [{"reference": "Observation/z"}]"#)
          .replacingOccurrences(of: "final", with: "cancelled"),
        single("89018-6", "97", id: "z")))
    XCTAssertEqual(found.count, 1)
    XCTAssertNil(found.first?.profile.left)
    XCTAssertEqual(found.first?.profile.right, try Audiogram([1000: 20]))
    assertUnreadable(
      bundle(single("89016-0", "99", more: void)),
      "no audiogram in the HL7 FHIR document: 1 of 1 observations about hearing are entered in "
        + "error, cancelled or measured by bone conduction")
  }

  func test_allProfiles_membersOfANestedPanelThatWasEnteredInError_areIgnored() throws {
    let outer = panel(
      threshold("89017-8", "20"), more: #", "hasMember": [{"reference": "Observation/q"}]"#)
    let inner = panel(more: #", "id": "q", "hasMember": [{"reference": "Observation/t"}]"#)
      .replacingOccurrences(of: "final", with: "entered-in-error")
    let found = try all(bundle(outer, inner, single("89016-0", "99", id: "t")))
    XCTAssertEqual(found.count, 1)
    XCTAssertNil(found.first?.profile.left)
  }

  func test_allProfiles_containedObservations_haveTheSubjectOfTheirReport() {
    let reports = ["1", "2"].map {
      #"{"resourceType": "DiagnosticReport", "status": "final", "code": {"text": "audiometry"}, "#
        + #""subject": {"reference": "Patient/\#($0)"}, "#
        + #""contained": [\#(single($0 == "1" ? "89016-0" : "89017-8", "20", id: "k"))]}"#
    }
    assertUnreadable(
      bundle(reports[0], reports[1]),
      #"entry[1].resource.contained[0].subject: "Patient/2", but earlier thresholds are of "#
        + #""Patient/1""#)
  }

  func test_allProfiles_memberOfAValidPanelThatWasEnteredInError_isIgnored() throws {
    let found = try all(
      bundle(
        panel(
          threshold("89017-8", "20"), more: #", "hasMember": [{"reference": "Observation/z"}]"#),
        single("89016-0", "99", id: "z", more: #", "status": "entered-in-error""#)))
    XCTAssertEqual(found.count, 1)
    XCTAssertNil(found.first?.profile.left)
  }

  func test_allProfiles_documentWithoutHearingData_failsAndStatesWhatIsMissing() {
    assertUnreadable(
      #"{"resourceType": "CapabilityStatement", "format": ["json"]}"#,
      "no observation in the HL7 FHIR document is about hearing")
    assertUnreadable(
      #"{"resourceType": "Patient"}"#, "no observation in the HL7 FHIR document is about hearing")
    assertUnreadable(
      #"{"resourceType": "Bundle", "entry": [{"fullUrl": "x"}, {"resource": {"resourceType": "#
        + #""Observation", "code": {"coding": [{"code": "8302-2"}]}, "valueQuantity": "odd"}}]}"#,
      "no observation in the HL7 FHIR document is about hearing")
    assertUnreadable(
      panel(), "the observations about hearing in the HL7 FHIR document have no values")
  }

  func test_allProfiles_invalidValue_failsAndNamesItsPath() {
    let place = "entry[0].resource.component[0]"
    for (component, error) in [
      ("{\(code("89016-0")), \(quantity("20", "dB SPL"))}", #"\#(place): "dB SPL" is not dB HL"#),
      (
        "{\(code("89016-0")), \(quantity("20", more: #", "code": "dB[SPL]""#))}",
        #"\#(place): "dB[SPL]" is not dB HL"#
      ),
      (
        #"{\#(code("89016-0")), "valueString": "20 dB"}"#,
        "\(place).valueString: a valueQuantity is expected"
      ),
      (
        #"{\#(code("89016-0")), "modifierExtension": [{}], \#(quantity("20"))}"#,
        #"\#(place).modifierExtension: "" changes the meaning in an unknown way"#
      ),
      (
        #"{\#(code("89016-0")), "modifierExtension": [{"url": "urn:not"}], \#(quantity("20"))}"#,
        #"\#(place).modifierExtension: "urn:not" changes the meaning in an unknown way"#
      ),
      (
        "{\(code("89016-0")), \(quantity("1e999"))}",
        "\(place).valueQuantity: the number 1e999 is out of range for this value"
      ),
      (
        "{\(code("89016-0")), \(quantity("131"))}",
        "\(place): threshold 131 dB HL at 1000 Hz is outside -10 to 120 dB HL "
          + "(imports accept -20 to 130 dB HL)"
      ),
      (
        "{\(code("89016-0")), \(quantity("20", more: #", "comparator": "~""#))}",
        #"\#(place): "~" is not a known comparator"#
      ),
    ] { assertUnreadable(bundle(panel(component)), error) }
    // A value of null is treated as absent. An observation that is marked as void may contain
    // anything.
    XCTAssertEqual(
      try all(
        bundle(
          panel(#"{\#(code("89016-0")), "valueString": null, \#(quantity("20"))}"#),
          panel(#"{\#(code("89016-0")), "valueString": "odd"}"#)
            .replacingOccurrences(of: "final", with: "entered-in-error"))
      ).count, 1)
    assertUnreadable(
      #"{"resourceType": "Observation", "status": "final", "code": {"text": "audiometry"}, "#
        + #""modifierExtension": [{"url": "urn:not"}], "component": [\#(threshold("89016-0", "20"))]}"#,
      #"modifierExtension: "urn:not" changes the meaning in an unknown way"#)
    XCTAssertNoThrow(
      try all(
        panel(
          "{\(code("89016-0")), \(quantity("20", more: #", "system": "urn:x", "code": "y""#))}")))
    assertUnreadable(
      panel(threshold("89016-0", "20"), threshold("89016-0", "25")),
      "component[1]: 1000 Hz of the left ear occurs twice: 25 dB HL here, 20 dB HL at component[0]")
    assertUnreadable(
      bundle(single("89016-0", "20", time: "soon")),
      #"entry[0].resource.effectiveDateTime: "soon" is not a date or a time"#)
    assertUnreadable(
      sensitivity("500", left: "30", right: nil).replacingOccurrences(
        of: "\"Hz\"", with: "\"BPM\""),
      #"component[0]: "BPM" is neither Hz nor kHz"#)
  }

  func test_allProfiles_dataOfTwoPeople_isAnError() {
    assertUnreadable(
      bundle(
        single("89016-0", "20", more: #", "subject": {"reference": "Patient/1"}"#),
        single("89017-8", "20", id: "y", more: #", "subject": {"reference": "Patient/2"}"#)),
      #"entry[1].resource.subject: "Patient/2", but earlier thresholds are of "Patient/1""#)
  }

  func test_allProfiles_sameReferenceInTwoPanelsOrServers_resolvesToTheMembersOfEachPanel() throws {
    func panel(_ year: Int, member: String, contained: String = "") -> String {
      #"{"resourceType": "Observation", "status": "final", \#(code("89015-2")), "#
        + #""effectiveDateTime": "\#(year)-06-12", "#
        + ##""hasMember": [{"reference": "\##(member)"}], "contained": [\##(contained)]}"##
    }
    let contained = try all(
      bundle(
        panel(2024, member: "#k", contained: single("89016-0", "20", id: "k")),
        panel(2025, member: "#k", contained: single("89016-0", "60", id: "k"))))
    XCTAssertEqual(contained.map(\.day?.description), ["2024-06-12", "2025-06-12"])
    XCTAssertEqual(contained.map { $0.profile.left?.threshold(at: 1000) }, [20, 60])

    let servers = [("a", 2024, "20"), ("b", 2025, "60")].map { server, year, level in
      let url = "https://\(server).example/r4/Observation"
      return #"{"fullUrl": "\#(url)/p", "resource": \#(panel(year, member: "Observation/t"))}, "#
        + #"{"fullUrl": "\#(url)/t", "resource": \#(single("89016-0", level, id: "t"))}"#
    }
    let found = try all(
      #"{"resourceType": "Bundle", "type": "collection", "#
        + #""entry": [\#(servers.joined(separator: ","))]}"#)
    XCTAssertEqual(found.map(\.day?.description), ["2024-06-12", "2025-06-12"])
    XCTAssertEqual(found.map { $0.profile.left?.threshold(at: 1000) }, [20, 60])
  }

  func test_allProfiles_ambiguousReference_isAnError_unlessItsPanelIsCancelled() throws {
    let panel = panel(more: #", "hasMember": [{"reference": "Observation/t"}]"#)
    let members = [single("89016-0", "20", id: "t"), single("89024-4", "30", id: "t")]
    assertUnreadable(
      bundle(panel, members[0], members[1]),
      #"entry[0].resource.hasMember: "Observation/t" is ambiguous: 2 observations match"#)
    let void = panel.replacingOccurrences(of: "final", with: "cancelled")
    XCTAssertEqual(try all(bundle(void, members[0], members[1])).count, 1)
    // The fullUrl and the id of the resource give the same name.
    let found = try all(
      #"{"resourceType": "Bundle", "type": "collection", "entry": [{"resource": \#(panel)}, "#
        + #"{"fullUrl": "Observation/t", "resource": \#(members[0])}]}"#)
    XCTAssertEqual(found.map { $0.profile.left?.threshold(at: 1000) }, [20])
    // A reference may name one version of a resource.
    let versions = ["1", "2"].map {
      single("89016-0", "\($0)0", id: "t", more: #", "meta": {"versionId": "\#($0)"}"#)
    }
    let second = panel.replacingOccurrences(of: "Observation/t", with: "Observation/t/_history/2")
    let chosen = try all(bundle(second, versions[0], versions[1]))
    XCTAssertEqual(chosen.map { $0.profile.left?.threshold(at: 1000) }, [20, 10])
  }

  func test_allProfiles_subjectsOnDifferentServers_areDifferentPeople() {
    let subject = #", "subject": {"reference": "Patient/1"}"#
    func collection(_ addresses: [String]) -> String {
      let entries = addresses.map {
        #"{"fullUrl": "\#($0)", "resource": \#(single("89016-0", "20", more: subject))}"#
      }
      return #"{"resourceType": "Bundle", "type": "collection", "#
        + #""entry": [\#(entries.joined(separator: ","))]}"#
    }
    let addresses = ["https://a.example/r4/Observation/x", "https://b.example/r4/Observation/x"]
    XCTAssertThrowsError(try all(collection(["urn:uuid:0"] + addresses))) {
      XCTAssertTrue("\($0)".contains("entry[2].resource.subject"), "\($0)")
    }
    assertUnreadable(
      collection(addresses),
      #"entry[1].resource.subject: "Patient/1", but earlier thresholds are of "Patient/1""#)
  }

  /// Measures the reading time of three documents in each case. The first document has many parts
  /// of one kind. The second document has many parts of another kind. The third document has many
  /// parts of both kinds.
  func test_allProfiles_longAddressesAndManyPatients_takeLinearTime() throws {
    func time(_ json: String) throws -> Duration {
      let start = ContinuousClock.now
      _ = try? all(json)
      return ContinuousClock.now - start
    }
    func members(_ count: Int, lengthOfAddress: Int) -> String {
      let server = "https://a.example/" + String(repeating: "a", count: lengthOfAddress)
      let members = Array(repeating: #"{"reference": "Observation/q"}"#, count: count)
      let panel = panel(more: #", "hasMember": [\#(members.joined(separator: ","))]"#)
      return #"{"resourceType": "Bundle", "type": "collection", "entry": [{"#
        + #""fullUrl": "\#(server)/Observation/p", "resource": \#(panel)}, {"#
        + #""fullUrl": "\#(server)/Observation/q", "resource": \#(single("89016-0", "20", id: "q"))}]}"#
    }
    func contained(_ patients: [String], _ count: Int, subject: String) -> String {
      let observation = single(
        "89016-0", "20", more: ##", "subject": {"reference": "#\##(subject)"}"##)
      let all = patients + Array(repeating: observation, count: count)
      return panel(more: #", "contained": [\#(all.joined(separator: ","))]"#)
    }
    func patient(identifiers count: Int) -> String {
      let identifiers = (0..<count).map { #"{"value": "\#($0)"}"# }.joined(separator: ",")
      return #"{"resourceType": "Patient", "id": "p", "identifier": [\#(identifiers)]}"#
    }
    let patients = (0..<4_000).map { #"{"resourceType": "Patient", "id": "\#($0)"}"# }
    for (few, other, both) in [
      (
        members(20_000, lengthOfAddress: 1), members(1, lengthOfAddress: 500_000),
        members(20_000, lengthOfAddress: 500_000)
      ),
      (
        contained([patient(identifiers: 1)], 4_000, subject: "p"),
        contained([patient(identifiers: 20_000)], 1, subject: "p"),
        contained([patient(identifiers: 20_000)], 4_000, subject: "p")
      ),
      (
        contained([patients[0]], 4_000, subject: "0"), contained(patients, 1, subject: "0"),
        contained(patients, 4_000, subject: "3999")
      ),
    ] {
      let sum = try time(few) + time(other)
      XCTAssertLessThan(try time(both), sum * 3 + .seconds(0.3))
    }
  }

  func test_allProfiles_subjects_areComparedByIdentifierReferenceAndContainedPatient() throws {
    func read(_ first: String, _ second: String) throws(UnreadableDocument) -> Int {
      try all(bundle(single("89016-0", "20", more: first), single("89017-8", "20", more: second)))
        .count
    }
    func subject(_ content: String, patient: String? = nil) -> String {
      let contained = patient.map {
        #", "contained": [{"resourceType": "Patient", "id": "p"\#($0)}]"#
      }
      return #", "subject": {\#(content)}"# + (contained ?? "")
    }
    let one = #""identifier": {"system": "urn:s", "value": "1"}"#
    let two = #""identifier": {"system": "urn:s", "value": "2"}"#
    let local = ##""reference": "#p""##
    let named = #", "name": [{"family": "Roe", "given": [null, "Ann"]}], "birthDate": "1950-01-01""#
    let known = #", "identifier": [{"system": "urn:s", "value": "2"}]"#
    let other = #""identifier": {"system": "urn:t", "value": "9"}"#
    for (first, second) in [
      (
        subject(#""reference": "Patient/1", "# + one),
        subject(#""reference": "Patient/1", "# + other)
      ),
      (
        subject(#""reference": "Patient/1""#),
        subject(#""reference": "https://a.example/r4/Patient/1""#)
      ),
      (subject(#""reference": "Patient/1""#), subject(#""reference": "Patient/1/_history/3""#)),
      (subject(two), subject(local, patient: known + named)),
      (subject(local, patient: known), subject(local, patient: known + named)),
      (subject(one), subject(one)),
      (
        subject(#""reference": "Patient/1", "# + one),
        subject(#""reference": "urn:uuid:1", "# + one)
      ),
      (subject(one), subject(#""reference": "Patient/1""#)),
      (subject(local, patient: named), subject(local, patient: named)),
    ] { XCTAssertEqual(try read(first, second), 1, "\(first), \(second)") }
    for (first, second) in [
      (subject(one), subject(two)),
      (subject(one), subject(local, patient: known)),
      (subject(local, patient: named), subject(local, patient: known + #", "birthDate": "1980""#)),
      (
        subject(#""reference": "https://a.example/r4/Patient/1""#),
        subject(#""reference": "https://b.example/r4/Patient/1""#)
      ),
      (subject(local, patient: ""), subject(local, patient: "")),
      (subject(local, patient: named), subject(local, patient: #", "name": [{"family": "Doe"}]"#)),
    ] {
      XCTAssertThrowsError(try read(first, second), "\(first), \(second)") {
        XCTAssertTrue("\($0)".contains("entry[1].resource.subject"), "\($0)")
      }
    }
  }

  func test_allProfiles_membersInACycleOrALongChain_areReadWithoutEndlessLoop() throws {
    func link(_ id: Int, to next: Int) -> String {
      #"{"resourceType": "Observation", "id": "\#(id)", "status": "final", \#(code("89015-2")), "#
        + #""hasMember": [{"reference": "Observation/\#(next)"}], "#
        + #""component": [\#(id == 2 ? threshold("89016-0", "20") : "")]}"#
    }
    let circle = try all(bundle(link(1, to: 2), link(2, to: 1)))
    XCTAssertEqual(circle.map(\.position), ["entry[1].resource"])
    let chain = (0..<5000).map { link($0, to: $0 + 1) }.joined(separator: #"}, {"resource": "#)
    let found = try all(
      #"{"resourceType": "Bundle", "type": "collection", "entry": [{"resource": \#(chain)}]}"#)
    XCTAssertEqual(found.map(\.position), ["entry[0].resource"])
    XCTAssertEqual(found.first?.profile.left, try Audiogram([1000: 20]))
  }

  func test_allProfiles_nestedBundles_areReadUpToADepthOfFive() throws {
    func nested(_ count: Int) -> String {
      (1..<count).reduce(bundle(single("89016-0", "20"))) { inner, _ in bundle(inner) }
    }
    XCTAssertEqual(try all(nested(5)).map { $0.profile.left?.threshold(at: 1000) }, [20])
    XCTAssertThrowsError(try all(nested(6))) {
      XCTAssertTrue("\($0)".contains("the resources are nested too deeply"), "\($0)")
    }
  }

  func test_allProfiles_deepNestingOfAMeasurement_throwsInsteadOfOverflowingTheStack() {
    let measurement = single("89016-0", "20")
    for (part, end) in [
      ("[", "]"), (#"{"contained": ["#, "]}"),
      (#"{"resourceType": "Bundle", "entry": [{"resource": "#, "}]}"),
    ] {
      for depth in [20, 100, 511, 513, 50_000] {
        let json =
          #"{"resourceType": "Bundle", "entry": [{"resource": "#
          + String(repeating: part, count: depth) + measurement
          + String(repeating: end, count: depth) + "}]}"
        XCTAssertThrowsError(try all(json)) {
          let reason = depth > 500 ? "not JSON: " : part == "[" ? "expected an obj" : "too deeply"
          XCTAssertTrue("\($0)".contains(reason), "\(depth) × \(part): \($0)")
        }
      }
    }
  }

  func test_boneConduction_isOmitted_andNamedInTheNotes() throws {
    for method in [
      #"{"text": "Bone conduction"}"#, #"{"coding": [{"display": "Audiometry, bone"}]}"#,
    ] {
      let bone = single("89016-0", "10", id: "b", more: ", \"method\": \(method)")
      let found = try all(bundle(bone, single("89016-0", "30")))
      XCTAssertEqual(found.map(\.profile.left), [try Audiogram([1000: 30])])
      XCTAssertEqual(
        found.map(\.notes), [["bone-conduction observations not read: 1"]], method)
      assertUnreadable(
        bundle(bone),
        "no audiogram in the HL7 FHIR document: 1 of 1 observations about hearing are entered in "
          + "error, cancelled or measured by bone conduction")
    }
    let site = single("89016-0", "10", more: #", "bodySite": {"text": "Mastoid bone"}"#)
    let category = single("89016-0", "10", more: #", "category": [{"text": "Bone conduction"}]"#)
    let text = single("89016-0", "10")
      .replacingOccurrences(of: #""code": {"#, with: #""code": {"text": "Bone conduction", "#)
    let display = single("89016-0", "10")
      .replacingOccurrences(of: #""code": "1"}"#, with: #""code": "1", "display": "Bone tone"}"#)
    for bone in [site, category, text, display] {
      let found = try all(bundle(bone, single("89016-0", "30", id: "y")))
      XCTAssertEqual(found.map(\.profile.left), [try Audiogram([1000: 30])], bone)
      XCTAssertEqual(found.map(\.notes), [["bone-conduction observations not read: 1"]], bone)
    }
    let air = single("89016-0", "30", more: #", "method": {"text": "Air conduction"}"#)
    XCTAssertEqual(try all(bundle(air)).map(\.notes), [[]])
  }
}
