import Foundation
import TestSupport
import XCTest

@testable import HearingAudio

final class FileByteSinkTests: XCTestCase {
  private func write(_ bytes: [UInt8], to path: String) throws {
    let sink = try FileByteSink(replacing: path)
    try sink.write(bytes, at: nil)
    try sink.commit()
  }

  func test_commit_keepsPermissionsOfTheOldFile() throws {
    let folder = try ScratchFolder()
    let path = try folder.write([1], to: "old")
    XCTAssertEqual(chmod(path, 0o640), 0)
    try write([2, 3], to: path)
    XCTAssertEqual(try Array(folder.data("old")), [2, 3])
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    XCTAssertEqual((attributes[.posixPermissions] as? NSNumber)?.intValue, 0o640)
  }

  /// In a path, `..` after a symbolic link means the parent folder of the link's target.
  func test_commit_pathThroughTheParentOfALink_replacesTheFileNextToTheTarget() throws {
    let folder = try ScratchFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path("real/deep"), withIntermediateDirectories: true)
    _ = try folder.write([1], to: "real/file")
    XCTAssertEqual(symlink(folder.path("real/deep"), folder.path("link")), 0)
    try write([2], to: folder.path("link/../file"))
    XCTAssertEqual(try Array(folder.data("real/file")), [2])
    XCTAssertFalse(FileManager.default.fileExists(atPath: folder.path("file")))
  }

  func test_commit_replacesTheTargetOfASymbolicLink() throws {
    let folder = try ScratchFolder()
    let path = try folder.write([1], to: "real")
    XCTAssertEqual(symlink(path, folder.path("link")), 0)
    try write([2], to: folder.path("link"))
    XCTAssertEqual(try Array(folder.data("real")), [2])
    XCTAssertEqual(
      try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("link")), path)
  }

  func test_commit_createsTheMissingTargetOfASymbolicLink() throws {
    let folder = try ScratchFolder()
    XCTAssertEqual(symlink("second", folder.path("first")), 0)
    XCTAssertEqual(symlink(folder.path("target"), folder.path("second")), 0)
    try write([2], to: folder.path("first"))
    XCTAssertEqual(try Array(folder.data("target")), [2])
    XCTAssertEqual(
      try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("first")), "second")
    XCTAssertEqual(symlink("loop", folder.path("loop")), 0)
    XCTAssertThrowsError(try write([2], to: folder.path("loop")))
  }

  func test_write_afterOverwritingEarlierBytes_appendsAtTheEnd() throws {
    let folder = try ScratchFolder()
    let sink = try FileByteSink(replacing: folder.path("new"))
    try sink.write([7, 7, 7, 7], at: nil)
    try sink.write([1, 1], at: 1)
    try sink.write([9], at: nil)
    XCTAssertEqual(try folder.names().filter { $0 == "new" }, [])
    try sink.commit()
    XCTAssertEqual(try Array(folder.data("new")), [7, 1, 1, 7, 9])
  }

  func test_commit_afterTheTargetBecameAFolder_failsAndLeavesNoFile() throws {
    let folder = try ScratchFolder()
    let sink = try FileByteSink(replacing: folder.path("new"))
    try FileManager.default.createDirectory(
      atPath: folder.path("new"), withIntermediateDirectories: false)
    XCTAssertThrowsError(try sink.commit())
    XCTAssertEqual(try folder.names(), ["new"])
  }

  func test_write_toAFileNameOf255Bytes_succeeds() throws {
    let folder = try ScratchFolder()
    let name = String(repeating: "n", count: 255)
    try write([5], to: folder.path(name))
    XCTAssertEqual(try Array(folder.data(name)), [5])
  }
}
