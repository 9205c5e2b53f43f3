#if os(Linux)
  import Foundation
  import HearingFitting
  import TestSupport
  import XCTest

  @testable import HearingRemote

  /// Kills processes while they store presets. After each kill, the file must contain one of the
  /// presets together with the tag of this preset. The environment variable `KILL_COUNT` sets the
  /// number of processes.
  final class PresetCacheKillTests: XCTestCase {
    private static let folderVariable = "PRESET_CACHE_KILL_FOLDER"

    private func entry(_ number: Int) throws -> CachedPreset {
      let profile = number == 0 ? HearingProfile(left: .n2) : HearingProfile(right: .n3)
      return CachedPreset(
        preset: try Fitting.techLevel(2).preset(for: profile), entityTag: "\"\(number)\"",
        lastModified: "\(number)", confirmed: Date(timeIntervalSince1970: Double(number)))
    }

    private func cache(in folder: URL) throws -> PresetCache {
      PresetCache(
        url: try XCTUnwrap(URL(string: "https://example.org/preset")), key: "a", directory: folder)
    }

    func test_processKilledWhileStoring_leavesACompletePresetInTheCache() throws {
      let seed = SeededGenerator.freshSeed()
      print("seed \(seed)")
      var random = SeededGenerator(seed: seed)
      let count = ProcessInfo.processInfo.environment["KILL_COUNT"].flatMap { Int($0) } ?? 4
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      defer { try? FileManager.default.removeItem(at: folder) }
      let cache = try cache(in: folder)
      let entries = [try entry(0), try entry(1)]
      for round in 0..<count {
        try? FileManager.default.removeItem(at: cache.file)
        let child = try storingProcess(folder)
        let limit = ContinuousClock.now + .seconds(60)
        while cache.read() == nil, ContinuousClock.now < limit { usleep(200) }
        usleep(UInt32(random.next() % 3_000))
        kill(child.processIdentifier, SIGKILL)
        child.waitUntilExit()
        XCTAssertEqual(child.terminationReason, .uncaughtSignal)
        let left = try XCTUnwrap(cache.read(), "seed \(seed), round \(round): no readable preset")
        XCTAssertTrue(entries.contains(left), "seed \(seed), round \(round): \(left)")
      }
    }

    private func storingProcess(_ folder: URL) throws -> Process {
      let child = Process()
      child.executableURL = URL(
        fileURLWithPath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      )
      child.arguments = ["HearingRemoteTests.PresetCacheKillTests/test_childProcess_storesPresets"]
      child.environment = ProcessInfo.processInfo.environment.merging(
        [Self.folderVariable: folder.path]) { $1 }
      child.standardOutput = FileHandle.nullDevice
      try child.run()
      return child
    }

    /// This test runs in the child process.
    func test_childProcess_storesPresets() throws {
      guard let path = ProcessInfo.processInfo.environment[Self.folderVariable] else {
        throw XCTSkip("runs in the processes that are killed")
      }
      let cache = try cache(in: URL(fileURLWithPath: path))
      let entries = [try entry(0), try entry(1)]
      // If the parent process was killed, this time limit ends the child process.
      let end = ContinuousClock.now + .seconds(60)
      while ContinuousClock.now < end {
        for entry in entries { XCTAssertNil(cache.write(entry)) }
      }
    }
  }
#endif
