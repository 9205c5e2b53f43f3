import Foundation
import HearingProcessing
import TestSupport
import XCTest

/// Checks that all files that state the version of the package state the same version as the code.
final class ReleaseTests: XCTestCase {
  private let version = ProcessingController.packageVersion

  private func text(of path: String) throws -> String {
    try String(contentsOf: DocumentedLines.page(path, from: #filePath), encoding: .utf8)
  }

  func test_changelog_hasASectionForTheCurrentVersion() throws {
    let headings = try text(of: "CHANGELOG.md").split(separator: "\n").filter {
      $0.hasPrefix("## [")
    }
    XCTAssertEqual(headings.first, "## [Unreleased]")
    XCTAssertTrue(
      try XCTUnwrap(headings.dropFirst().first).hasPrefix("## [\(version)]"))
  }

  func test_citationAndInstallationInstructions_containTheCurrentVersion() throws {
    XCTAssertTrue(
      try text(of: "CITATION.cff").contains("\nversion: \(version)\n"))
    XCTAssertTrue(try text(of: "README.md").contains("from: \"\(version)\""))
  }
}
