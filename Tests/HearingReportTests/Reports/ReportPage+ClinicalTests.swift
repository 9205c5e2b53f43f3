import Foundation
import HearingFitting
import XCTest

@testable import HearingReport

final class ReportPageClinicalTests: XCTestCase {
  private let profile = HearingProfile(left: .n3, right: .s2)

  private func page(
    _ profile: HearingProfile, date: Date? = nil, device: String = ""
  ) throws -> ParsedElement {
    let preset = try Fitting.techLevel(3).preset(for: profile)
    let report = ReportPage.clinical(profile: profile, preset: preset, date: date, device: device)
    return try ParsedElement.parse(report.html)
  }

  func test_summary_hasBlankFieldsThresholdsGainsAndSignature() throws {
    let summary = try XCTUnwrap(try page(profile).all("section").first)
    XCTAssertEqual(summary.attributes["class"], "own-page", "one sheet of paper")
    let forms = summary.all("div").filter { $0.attributes["class"] == "form" }.map(\.wholeText)
    XCTAssertEqual(forms.count, 2)
    for name in ["Name", "Date of birth", "Date of the fitting", "Device and headphone"] {
      XCTAssertTrue(forms[0].contains(name), name)
    }
    XCTAssertTrue(forms[1].contains("signature"))
    let tables = summary.all("table")
    XCTAssertEqual(tables.compactMap { $0.first("caption")?.text }, ["Right ear", "Left ear"])
    let preset = try Fitting.techLevel(3).preset(for: profile)
    for (table, ear) in zip(tables, Ear.clinicalOrder) {
      let row = try XCTUnwrap(table.all("tr").first { $0.first("th")?.text == "2000" })
      let gains = try XCTUnwrap(preset[ear])
      let expected =
        [profile[ear]?.threshold(at: 2000) ?? 0]
        + [50, 65, 80].map { gains.toneGain(at: 2000, inputLevel: $0) }
        + [gains.largestOutput(at: 2000, in: .freeField)]
      XCTAssertEqual(row.all("td").map(\.text), expected.map { $0.tabular(places: 0) })
    }
    XCTAssertTrue(summary.wholeText.contains("The two ears differ"), "one line for an asymmetry")
  }

  /// A profile with unusual content: a point without a response, a masked point, frequencies
  /// outside the usual range, and measured discomfort levels of the left ear.
  private func unusualProfile() throws -> HearingProfile {
    let left = try Audiogram(points: [
      .init(frequency: 125, threshold: 20), .init(frequency: 500, threshold: 30),
      .init(frequency: 1000, threshold: 40, isMasked: true),
      .init(frequency: 2000, threshold: 60), .init(frequency: 4000, threshold: 90),
      .init(frequency: 8000, threshold: 100, isNoResponse: true),
      .init(frequency: 12_500, threshold: 95),
    ])
    let right = try Audiogram(points: [
      .init(frequency: 500, threshold: 30), .init(frequency: 1000, threshold: 40),
      .init(frequency: 2000, threshold: 60),
      .init(frequency: 4000, threshold: 90, isNoResponse: true),
    ])
    return HearingProfile(
      left: left, right: right, leftDiscomfort: try Audiogram([700: 95, 2000: 105]))
  }

  func test_summary_marksNoResponseAndMaskedPoints_andListsEveryMeasuredFrequency() throws {
    let summary = try XCTUnwrap(try page(unusualProfile()).all("section").first)
    let tables = summary.all("table")
    func cells(_ table: ParsedElement, _ frequency: String) throws -> [String] {
      let row = try XCTUnwrap(table.all("tr").first { $0.first("th")?.text == frequency })
      return row.all("td").map(\.text)
    }
    let (right, left) = (tables[0], tables[1])
    XCTAssertEqual(
      left.all("tr").compactMap { $0.all("td").isEmpty ? nil : $0.first("th")?.text }
        .filter { Double($0) != nil },
      [
        "125", "250", "500", "700", "750", "1000", "1500", "2000", "3000", "4000", "6000", "8000",
        "12500",
      ])
    for (frequency, threshold, discomfort) in [
      ("125", "20", "–"), ("1000", "40 m", "–"), ("8000", "> 100", "–"), ("12500", "95", "–"),
      ("2000", "60", "105"),
    ] {
      XCTAssertEqual(try cells(left, frequency).prefix(2), [threshold, discomfort])
    }
    XCTAssertEqual(try cells(left, "700")[1], "95")
    XCTAssertTrue(try cells(left, "700")[0].hasSuffix(" *"))
    XCTAssertEqual(try cells(right, "4000")[0], "> 90")
    for (table, frequency, threshold) in [
      (right, "3000", "> 78 *"), (right, "8000", "> 90 *"), (right, "1500", "52 *"),
      (left, "6000", "> 96 *"),
    ] {
      XCTAssertEqual(try cells(table, frequency)[0], threshold, "\(frequency) Hz")
    }
    XCTAssertEqual(try cells(right, "4000").count, 5, "no column for discomfort levels")
    let text = summary.wholeText
    for words in [">: above this level (no response)", "m: masked", "*: between", "(UCL)"] {
      XCTAssertTrue(text.contains(words), words)
    }
    XCTAssertTrue(text.contains("right ear at least 55 dB HL, left ear 55 dB HL"), text)
  }

  /// The cells of the table of target gains. The keys are the frequencies of the rows.
  private func targets(_ profile: HearingProfile, _ preset: Preset) throws -> (
    cells: [String: [String]], note: String
  ) {
    let page = try ParsedElement.parse(ReportPage.clinical(profile: profile, preset: preset).html)
    let section = try XCTUnwrap(
      page.all("section").first { $0.first("h2")?.text == "Target and preset" })
    let rows = try XCTUnwrap(section.first("table")).all("tr").compactMap { row in
      row.first("th").map { ($0.text, row.all("td").map(\.text)) }
    }
    return (
      Dictionary(rows, uniquingKeysWith: { first, _ in first }),
      section.all("p").map(\.wholeText).joined(separator: " ")
    )
  }

  func test_targets_equalTheGainsOfAnUnlimitedPreset_forEveryRule() throws {
    let noResponse = HearingProfile(
      right: try Audiogram(points: [
        .init(frequency: 500, threshold: 30), .init(frequency: 1000, threshold: 50),
        .init(frequency: 4000, threshold: 85, isNoResponse: true),
      ]))
    for profile in [HearingProfile(right: .n3), HearingProfile(right: .s2), noResponse] {
      for rule in PrescriptionRule.all {
        var fitting = Fitting(techLevel: 3, rule: rule)
        fitting.limits = .none
        let preset = try fitting.preset(for: profile)
        let gains = try XCTUnwrap(preset.right)
        let (cells, note) = try targets(profile, preset)
        for frequency in [250.0, 500, 1000, 2000, 4000, 8000] {
          let expected = [50, 65, 80].map { gains.gain(at: frequency, inputLevel: $0) }
          let limited = [50, 65, 80].map { gains.toneGain(at: frequency, inputLevel: $0) }
          XCTAssertEqual(
            cells[frequency.readable()]?.prefix(6).map { $0 },
            (expected + limited).map { $0.tabular(places: 0) }, "\(rule), \(frequency) Hz")
        }
        XCTAssertTrue(note.contains("differ, the maximum output or the fine tuning"), note)
        XCTAssertEqual(note.contains("no response"), profile == noResponse, note)
        guard rule != .fig6, profile != noResponse, let audiogram = profile.right else { continue }
        let expected = rule.insertionGain(for: audiogram, at: 4000, inputLevel: 65)
        XCTAssertEqual(cells["4000"]?[1], min(expected, 60).tabular(places: 0), "\(rule)")
      }
    }
  }

  func test_noteUnderTheTargetTable_statesWhyTheGainDiffersFromTheTarget() throws {
    let limited = try Fitting.techLevel(3).preset(for: profile)
    XCTAssertTrue(try targets(profile, limited).note.contains("a limit (see the list below)"))
    let broadband = try Fitting.techLevel(1).preset(for: profile)
    let note = try targets(profile, broadband).note
    XCTAssertTrue(note.contains("one gain for all frequencies"), note)
    XCTAssertFalse(note.contains("limit (see"), note)
    let byHand = Preset(left: limited.left, right: limited.right)
    let unknown = try targets(profile, byHand)
    XCTAssertTrue(unknown.note.contains("There is no target"), unknown.note)
    XCTAssertEqual(unknown.cells["1000"]?.prefix(3), ["–", "–", "–"])
  }

  func test_recordOfASelfTest_isShown_withCalibrationReliabilityAndReasons() throws {
    var profile = profile
    profile.method = .selfTest
    XCTAssertFalse(try page(profile).wholeText.contains("How it was measured"))
    profile.record = MeasurementRecord(
      procedure: "bayesian", headphone: "uncalibrated", toneCount: 5,
      notes: [.noResponses, .uncalibrated])
    let sections = try page(profile).all("section")
    let summary = sections[0].wholeText
    XCTAssertTrue(summary.contains("answers not reliable; headphone not calibrated"), summary)
    let record = try XCTUnwrap(
      sections.first { $0.first("h2")?.text == "How it was measured" }
    ).wholeText
    XCTAssertTrue(record.contains("No tone was heard at all"), record)
    XCTAssertTrue(record.contains("was not calibrated"), record)
  }

  func test_dateAndDevice_ifGiven_arePrintedInsteadOfBlankFields() throws {
    let summary = try XCTUnwrap(
      try page(profile, date: Date(timeIntervalSince1970: 0), device: "A & B").all("section").first)
    XCTAssertFalse(
      summary.all("div").contains {
        $0.attributes["class"] == "form" && $0.wholeText.contains("Device")
      }
    )
    XCTAssertTrue(summary.wholeText.contains("A & B"))
    XCTAssertTrue(summary.wholeText.contains("1 January 1970"))
  }

  func test_page_hasTargetsSPLogramAndAudibilityInNoise() throws {
    let page = try page(profile)
    XCTAssertEqual(page.all("script").count, 0)
    let text = page.wholeText
    for word in ["SPLogram", "Target", "Ratio", "noise 5 dB softer", "80 dB SPL, quiet"] {
      XCTAssertTrue(text.contains(word), word)
    }
    let audibility = try XCTUnwrap(
      page.all("table").first { $0.wholeText.contains("Speech Intelligibility Index") })
    let rows = audibility.all("tr").filter { !$0.all("td").isEmpty }.map { row in
      row.all("td").compactMap { Double($0.text) }
    }
    let quiet = try XCTUnwrap(rows.first { $0.count == 4 })
    XCTAssertLessThan(quiet[0], quiet[1], "the preset makes speech audible")
    XCTAssertEqual(rows.filter { $0.count == 4 }.count, 5)
  }

  /// The maximum output limits the gain of this preset at 80 dB SPL. Nevertheless, the page must
  /// show a compression ratio of 1.
  func test_targets_linearPreset_hasTheRatio1() throws {
    let profile = HearingProfile(left: .n7)
    let preset = try Fitting.techLevel(3).using(.nalR).preset(for: profile)
    let ear = try XCTUnwrap(preset.left)
    XCTAssertLessThan(
      ear.toneGain(at: 1000, inputLevel: 80), ear.gain(at: 1000, inputLevel: 80) - 5)
    let html = ReportPage.clinical(profile: profile, preset: preset).html
    let tables = try ParsedElement.parse(html).all("table")
    let rows = try XCTUnwrap(tables.first { $0.wholeText.contains("Ratio") }).all("tr")
    let ratios = rows.compactMap { $0.all("td").last?.text }.filter { !$0.isEmpty }
    XCTAssertGreaterThan(ratios.count, 5)
    XCTAssertEqual(Set(ratios), ["1.0"])
  }

  func test_splogram_showsThresholdsOnlyWhereTheyWereMeasured() throws {
    let titles = try page(unusualProfile()).all("title").map(\.text)
    // The page contains each picture twice, in a wide and in a narrow form.
    func thresholds(_ ear: String) -> [Double] {
      let shown = titles.filter { $0.hasPrefix("\(ear) ear, threshold, ") }
      return Set(shown.compactMap { Double($0.split(separator: " ")[3]) }).sorted()
    }
    // The right ear has thresholds at 500, 1000 and 2000 Hz, and no response at 4000 Hz.
    XCTAssertEqual(thresholds("Right"), [500, 630, 800, 1000, 1250, 1600, 2000])
    XCTAssertEqual(thresholds("Left").first, 160)
    XCTAssertEqual(thresholds("Left").last, 4000, "no response at 8000 Hz")
    XCTAssertTrue(titles.contains { $0.hasPrefix("Right ear, speech, processed, 4000 Hz: ") })
  }

  func test_profileWithOneOrNoMeasuredEar_givesAPage() throws {
    XCTAssertEqual(
      try page(HearingProfile(left: .n3)).all("section")[0].all("table").count, 1)
    XCTAssertEqual(try page(HearingProfile()).all("table").count, 0)
  }
}
