import ExampleSupport
import HearingFitting
import TestSupport
import XCTest

final class PresetArgumentTests: XCTestCase {
  func test_init_withThePathOfAPresetFile_readsThePreset() throws {
    let folder = try ScratchFolder()
    let preset = try Fitting.techLevel(3).preset(for: HearingProfile(left: .n3))
    let path = try folder.write(String(decoding: preset.jsonData(), as: UTF8.self), to: "p.json")
    XCTAssertEqual(try Preset(argument: path), preset)
  }

  func test_init_withAnInvalidOrMissingFile_throwsBadDataOrNoInput() throws {
    let folder = try ScratchFolder()
    let path = try folder.write("{}", to: "p.json")
    XCTAssertThrowsError(try Preset(argument: path)) { error in
      XCTAssertEqual(
        error as? CommandFailure, .badData(input: path, reason: "format: missing"))
    }
    XCTAssertThrowsError(try Preset(argument: folder.path("missing"))) { error in
      XCTAssertEqual((error as? CommandFailure)?.exitCode, .noInput)
    }
  }
}
