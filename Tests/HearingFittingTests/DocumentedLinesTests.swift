import Foundation
import HearingFitting
import TestSupport
import XCTest

/// Compiles and runs the code on the module's landing page.
final class DocumentedLinesTests: XCTestCase {
  func test_landingPage_codeOfTheOverview_runs() throws {
    let folder = try ScratchFolder()
    let url = folder.url.appendingPathComponent("preset.json")
    // begin
    let csv = """
      frequency_hz,left_dbhl,right_dbhl
      500,35,20
      1000,40,25
      2000,50,35
      4000,60,45
      """
    let profile = try HearingProfile(reading: Data(csv.utf8))
    let assessment = HearingAssessment(of: profile)  // the grade is mild: that of the better ear

    let preset = try Fitting.techLevel(3).preset(for: profile)
    let gain = preset.left?.gain(at: 2000, inputLevel: 50)  // in dB, for a soft sound

    try preset.jsonData().write(to: url)
    let same = try Preset(json: Data(contentsOf: url))
    // end
    XCTAssertEqual(assessment.grade, .mild)
    XCTAssertGreaterThan(try XCTUnwrap(gain), 10)
    XCTAssertEqual(same, preset)
  }

  func test_landingPage_containsExactlyTheCodeCompiledInThisFile() throws {
    let page = DocumentedLines.page(
      "Sources/HearingFitting/HearingFitting.docc/HearingFitting.md", from: #filePath)
    XCTAssertEqual(
      try DocumentedLines.printed(on: page), try DocumentedLines.compiled(in: #filePath))
  }
}
