import ExampleSupport
import Foundation
import TestSupport
import XCTest

final class InputFileTests: XCTestCase {
  func test_data_isReadUpToTheLimit() throws {
    let folder = try ScratchFolder()
    let path = try folder.write("0123456789", to: "a")
    XCTAssertEqual(try InputFile(path).data(limit: 100), Data("0123456789".utf8))
    XCTAssertEqual(try InputFile(path).data(limit: 4), Data("0123".utf8))
  }

  func test_endlessDevice_isReadUpToTheLimit() throws {
    try XCTSkipUnless(FileManager.default.fileExists(atPath: "/dev/zero"), "no /dev/zero")
    XCTAssertEqual(try InputFile("/dev/zero").data(limit: 3_000_000).count, 3_000_000)
  }

  func test_data_ofAMissingFile_throwsNoInput() {
    XCTAssertThrowsError(try InputFile("/missing/file").data(limit: 1)) { error in
      XCTAssertEqual(
        error as? CommandFailure, .noInput(path: "/missing/file", reason: "no such file"))
    }
  }
}
