import Foundation
import XCTest

@testable import HearingFitting

/// Reads a large Apple Health export. In release builds, the environment variable
/// `HEALTH_EXPORT_MEGABYTES` sets the size of the export in megabytes.
final class HealthExportSizeTests: XCTestCase {
  private var megabytes: Int {
    #if DEBUG
      return 4
    #else
      return ProcessInfo.processInfo.environment["HEALTH_EXPORT_MEGABYTES"].flatMap { Int($0) }
        ?? 24
    #endif
  }

  func test_contentsOf_largeExport_usesLessThan64MiBOfMemory() throws {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("health-export-\(UUID().uuidString).xml")
    defer { try? FileManager.default.removeItem(at: url) }
    let bytes = try HealthExportGenerator.write(megabytes: megabytes, to: url)

    let before = try PeakMemory.restart()
    let start = ContinuousClock.now
    let found = try HearingProfile.all(contentsOf: url)
    let time = start.duration(to: .now)
    let peak = try PeakMemory.now()
    let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
    let rate = Double(bytes) / 1e6 / seconds
    print(
      "\(#function): \(bytes) bytes in \(seconds) s, \(Int(rate)) MB/s; memory "
        + "\(before / 1024) KiB before, \(peak / 1024) KiB at most")

    XCTAssertEqual(
      found.map(\.day), ["2021-03-01", "2024-06-01", "2022-02-03"].map { CalendarDay($0) })
    let newest = try ProfileSelection.newest.measurement(of: found).profile
    XCTAssertEqual(newest.left, try Audiogram([250: 25, 1000: 35, 4000: 55]))
    #if !ADDRESS_SANITIZER
      // If the sanitizer is on, freed memory is not released immediately.
      XCTAssertLessThan(peak - before, 64 * 1024 * 1024)
    #endif
    #if !DEBUG
      XCTAssertGreaterThan(rate, 60)
    #endif
  }
}

/// The peak resident memory of the process in bytes.
enum PeakMemory {
  /// Resets the peak to the current resident memory.
  ///
  /// - Returns: The current resident memory in bytes.
  static func restart() throws -> Int {
    #if os(Linux)
      let file = try FileHandle(forWritingTo: URL(fileURLWithPath: "/proc/self/clear_refs"))
      try file.write(contentsOf: Data("5".utf8))
      try file.close()
      return try now()
    #else
      throw XCTSkip("memory is measured on Linux")
    #endif
  }

  /// The peak resident memory since the call of ``restart()``, in bytes.
  static func now() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = try XCTUnwrap(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
    let kibibytes = try XCTUnwrap(
      line.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }.first)
    return kibibytes * 1024
  }
}
