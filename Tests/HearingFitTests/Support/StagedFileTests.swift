import ExampleSupport
import Foundation
import TestSupport
import XCTest

final class StagedFileTests: XCTestCase {
  func test_write_beforeCommit_leavesTheOldFileUnchanged() throws {
    let folder = try ScratchFolder()
    try folder.write("old", to: "a")
    let file = try StagedFile(for: folder.path("a"))
    try file.write(Data("new".utf8))
    XCTAssertEqual(try folder.data("a"), Data("old".utf8))
    try file.commit()
    XCTAssertEqual(try folder.data("a"), Data("new".utf8))
    XCTAssertEqual(try folder.names(), ["a"])
  }

  func test_release_withoutCommit_removesTheTemporaryFile() throws {
    let folder = try ScratchFolder()
    func stage() throws {
      let file = try StagedFile(for: folder.path("a"))
      try file.write(Data(count: 1000))
      XCTAssertEqual(try folder.names().count, 1)
    }
    try stage()
    XCTAssertEqual(try folder.names(), [])
  }

  func test_secondWrite_replacesTheStagedContent() throws {
    let folder = try ScratchFolder()
    let file = try StagedFile(for: folder.path("a"))
    try file.write(Data("a long text".utf8))
    try file.write(Data("short".utf8))
    try file.commit()
    try file.commit()
    XCTAssertEqual(try folder.data("a"), Data("short".utf8))
  }

  func test_commit_keepsPermissionsAndSymbolicLinks() throws {
    let folder = try ScratchFolder()
    try folder.write("old", to: "a")
    let files = FileManager.default
    try files.setAttributes([.posixPermissions: 0o640], ofItemAtPath: folder.path("a"))
    try files.createSymbolicLink(
      atPath: folder.path("link"), withDestinationPath: folder.path("a"))
    let file = try StagedFile(for: folder.path("link"))
    try file.write(Data("new".utf8))
    XCTAssertEqual(try folder.data("a"), Data("old".utf8), "staged, not written through the link")
    try file.commit()
    XCTAssertEqual(try folder.data("a"), Data("new".utf8))
    XCTAssertEqual(
      try files.destinationOfSymbolicLink(atPath: folder.path("link")), folder.path("a"))
    let mode = try files.attributesOfItem(atPath: folder.path("a"))[.posixPermissions] as? Int
    XCTAssertEqual(mode, 0o640)
  }

  func test_commit_toADevice_doesNotReplaceTheDevice() throws {
    let file = try StagedFile(for: "/dev/null")
    try file.write(Data("gone".utf8))
    try file.commit()
    let type = try FileManager.default.attributesOfItem(atPath: "/dev/null")[.type]
    XCTAssertEqual(type as? FileAttributeType, .typeCharacterSpecial)
  }

  func test_init_forAFileThatCannotBeCreated_throws() throws {
    let folder = try ScratchFolder()
    for path in ["missing/a", "", "b/"] {
      XCTAssertThrowsError(try StagedFile(for: folder.path("") + "/" + path), path) { error in
        XCTAssertEqual((error as? CommandFailure)?.exitCode, .cannotCreate)
      }
    }
    XCTAssertEqual(try folder.names(), [])
  }
}
