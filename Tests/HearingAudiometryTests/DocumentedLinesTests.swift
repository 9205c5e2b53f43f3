import Foundation
import HearingAudiometry
import HearingFitting
import TestSupport
import XCTest

/// Compiles and runs the code on the module's landing page.
final class DocumentedLinesTests: XCTestCase {
  func test_landingPage_codeOfTheOverview_runs() throws {
    let scratch = try ScratchFolder()
    let file = scratch.url.appendingPathComponent("state.json")
    var player = Player()
    // begin
    let calibration = try HeadphoneCalibration(
      name: "HDA 200 at 80 %", referenceThresholds: .hda200,
      fullScaleLevels: [500: 112, 1000: 112, 2000: 111, 4000: 108])
    var test = try ToneTest(
      method: .bayesian, frequencies: [500, 1000, 2000, 4000], calibration: calibration)
    var profile: HearingProfile?
    while profile == nil {
      switch test.next {
      case .present(let presentation):
        let sound = try PresentationSound(
          presentation, calibration: calibration, sampleRate: 48_000)
        let (response, delay) = player.play(sound, presentation)
        try test.answer(response, after: delay)
        try test.jsonData().write(to: file, options: .atomic)
      case .pause:
        test.resume()
      case .finished(let result):
        profile = result
      }
    }
    // end
    XCTAssertTrue(try ToneTest(json: try scratch.data("state.json")) == test)
    XCTAssertEqual(try XCTUnwrap(profile?.left).threshold(at: 1000), 40, accuracy: 15)
  }

  func test_landingPage_containsExactlyTheCodeCompiledInThisFile() throws {
    let page = DocumentedLines.page(
      "Sources/HearingAudiometry/HearingAudiometry.docc/HearingAudiometry.md", from: #filePath)
    XCTAssertEqual(
      try DocumentedLines.printed(on: page), try DocumentedLines.compiled(in: #filePath))
  }
}

/// Stands for the object with which an app plays tones to a listener.
private struct Player {
  private var listener = SimulatedListener(
    profile: HearingProfile(left: .n3, right: .n2), falseAlarms: 0, lapses: 0, seed: 1)

  mutating func play(
    _ sound: PresentationSound, _ presentation: Presentation
  ) -> (ToneResponse, Duration?) {
    listener.respond(to: presentation)
  }
}
