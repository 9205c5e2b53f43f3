import ExampleSupport
import Foundation
import TestSupport
import XCTest

final class PathRegisterTests: XCTestCase {
  func test_add_ofTheSameFileByAnotherPath_throws() throws {
    let folder = try ScratchFolder()
    try folder.write("", to: "a")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link"), withDestinationPath: folder.path("a"))
    try FileManager.default.linkItem(atPath: folder.path("a"), toPath: folder.path("hard"))
    for other in ["hard", "a", "./a", "../\(folder.url.lastPathComponent)/a", "link"] {
      var paths = PathRegister()
      try paths.add(folder.path("a"), as: "IN")
      XCTAssertThrowsError(try paths.add(folder.path("") + "/" + other, as: "OUT"), other)
    }
  }

  func test_add_ofALinkToAMissingFile_andOfThisFile_throws() throws {
    let folder = try ScratchFolder()
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link"), withDestinationPath: "missing")
    var paths = PathRegister()
    try paths.add(folder.path("link"), as: "OUT")
    XCTAssertThrowsError(try paths.add(folder.path("missing"), as: "--compare"))
  }

  func test_add_ofAMissingFile_throughALinkToItsFolder_throws() throws {
    let folder = try ScratchFolder()
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link"), withDestinationPath: ".")
    var paths = PathRegister()
    try paths.add(folder.path("missing"), as: "OUT")
    XCTAssertThrowsError(try paths.add(folder.path("link/missing"), as: "--compare"))
    XCTAssertNoThrow(try paths.add(folder.path("link/other"), as: "--trace"))
  }

  func test_add_ofDifferentFilesOrTheSameDevice_succeeds() throws {
    var paths = PathRegister()
    try paths.add("a", as: "IN")
    try paths.add("b", as: "OUT")
    try paths.add("/dev/null", as: "--out")
    try paths.add("/dev/null", as: "--report")
  }
}
