import Foundation
import HearingFitting
import HearingReport
import TestSupport
import XCTest

/// Compiles and runs the code on the module's landing page.
final class DocumentedLinesTests: XCTestCase {
  func test_landingPage_codeOfTheOverview_runs() throws {
    let scratch = try ScratchFolder()
    let folder = scratch.url
    let profile = HearingProfile(left: .n3)
    let preset = try Fitting.techLevel(3).preset(for: profile)
    // begin
    let picture = AudiogramPicture(profile)
    try picture.svg.data.write(to: folder.appendingPathComponent("audiogram.svg"))

    var report = ReportPage.fitting(profile: profile, preset: preset)
    let spectrum = SpectrumPicture(
      frequencies: [500, 1000, 2000], before: [.left: [58, 52, 47]], after: [.left: [65, 66, 64]])
    report.sections.append(
      ReportSection(
        title: "Effect on the sound",
        blocks: [.picture(spectrum.svg, caption: "Before and after, in third-octaves.")]))
    try report.data.write(to: folder.appendingPathComponent("report.html"))
    // end
    XCTAssertEqual(report.sections.last?.title, "Effect on the sound")
    XCTAssertEqual(try scratch.data("report.html"), report.data)
    XCTAssertEqual(try scratch.data("audiogram.svg"), picture.svg.data)
  }

  func test_landingPage_containsExactlyTheCodeCompiledInThisFile() throws {
    let page = DocumentedLines.page(
      "Sources/HearingReport/HearingReport.docc/HearingReport.md", from: #filePath)
    XCTAssertEqual(
      try DocumentedLines.printed(on: page), try DocumentedLines.compiled(in: #filePath))
  }
}
