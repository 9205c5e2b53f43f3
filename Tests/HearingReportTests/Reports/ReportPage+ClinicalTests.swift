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
        + [50, 65, 80].map { gains.gain(at: 2000, inputLevel: $0) }
        + [gains.largestOutput(at: 2000, in: .freeField)]
      XCTAssertEqual(row.all("td").map(\.text), expected.map { $0.tabular(places: 0) })
    }
    XCTAssertTrue(summary.wholeText.contains("The two ears differ"), "one line for an asymmetry")
  }

  func test_dateAndDevice_fillTheirFields() throws {
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

  func test_profileWithOneOrNoEar_givesAPage() throws {
    XCTAssertEqual(
      try page(HearingProfile(left: .n3)).all("section")[0].all("table").count, 1)
    XCTAssertEqual(try page(HearingProfile()).all("table").count, 0)
  }
}
