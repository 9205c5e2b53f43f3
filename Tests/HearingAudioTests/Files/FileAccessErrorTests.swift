import Foundation
import XCTest

@testable import HearingAudio

final class FileAccessErrorTests: XCTestCase {
  func test_init_systemErrorNumber_givesTheMatchingCase() {
    func error(_ code: Int32) -> FileAccessError {
      FileAccessError(path: "a.wav", operation: "open", code: code)
    }
    XCTAssertEqual(error(ENOENT), .notFound(path: "a.wav"))
    XCTAssertEqual(error(EISDIR), .isFolder(path: "a.wav"))
    XCTAssertEqual(error(EACCES), .permissionDenied(path: "a.wav"))
    XCTAssertEqual(error(EROFS), .permissionDenied(path: "a.wav"))
    XCTAssertEqual(error(ENOSPC), .noSpaceLeft(path: "a.wav"))
    XCTAssertEqual(
      error(EIO),
      .system(path: "a.wav", operation: "open", code: EIO, reason: String(cString: strerror(EIO))))
  }

  func test_description_ofEveryError_isOneLineThatBeginsWithThePath() {
    for code in [ENOENT, EISDIR, EACCES, ENOSPC, EIO] {
      let text = FileAccessError(path: "a.wav", operation: "open", code: code).description
      XCTAssertTrue(text.hasPrefix("'a.wav': "), text)
      XCTAssertFalse(text.contains("\n"), text)
    }
    XCTAssertEqual(FileAccessError.notFound(path: "a.wav").description, "'a.wav': no such file")
  }
}
