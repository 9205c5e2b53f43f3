import Foundation
import HearingProcessing
import TestSupport
import XCTest

/// Eight threads perform random operations with all kinds of applicators. The environment variable
/// `CHAOS_SECONDS` sets the duration. Without this variable, the number of operations is fixed.
final class ChaosTests: TimedTestCase {
  private static let threads = 8
  /// This limit is longer than any useful value of `CHAOS_SECONDS`. If the test makes no progress,
  /// the watchdog ends the process.
  override var timeLimit: Double { 3_600 }
  private static let operationsInARound = 300

  func test_randomCallsOnManyThreads_completeOnce_neverHang_andDoNotLeakMemory() throws {
    let seed =
      ProcessInfo.processInfo.environment["CHAOS_SEED"].flatMap { UInt64($0) }
      ?? SeededGenerator.freshSeed()
    print("seed \(seed)")
    let seconds = ProcessInfo.processInfo.environment["CHAOS_SECONDS"].flatMap { Double($0) }
    let world = try ChaosWorld(seed: seed)
    let watchdog = ChaosWatchdog()
    watchdog.begin {
      [world.operationCount, world.ledger.count, world.ledger.open.count]
    } dump: {
      "seed \(seed)\n\(world.dump)"
    }
    defer { watchdog.end() }

    let begin = Date()
    var sizes: [Int] = []
    var round = 0
    while seconds.map({ Date().timeIntervalSince(begin) < $0 }) ?? (round < 12) {
      run(round, seed, world)
      sizes.append(Self.residentSize)
      let faults = world.ledger.faults
      guard faults.isEmpty else {
        return XCTFail("seed \(seed), round \(round): \(faults.joined(separator: "\n"))")
      }
      round += 1
    }
    let duration = Date().timeIntervalSince(begin)
    let megabytes = sizes.map { $0 / 1_048_576 }
    let warm = megabytes.dropFirst(max(3, megabytes.count / 4)).first ?? 0
    print(
      """
      chaos: \(world.operationCount) operations, \(world.ledger.count) results, \(round) rounds in \
      \(duration) s (\(Int(Double(world.operationCount) / duration)) operations/s); resident \
      \(megabytes.first ?? 0), \(warm), \(megabytes.last ?? 0) MiB at first, warm and last; \
      \(world.checked.withLock { $0 }) records compared; \(world.ledger.endings)
      """)
    #if !THREAD_SANITIZER
      XCTAssertLessThan(
        (megabytes.last ?? 0) - warm, 32, "memory grows: \(megabytes), seed \(seed)")
    #endif
  }

  /// Performs one round. First all threads perform operations, and then all results settle.
  /// Finally, the state is checked.
  private func run(_ round: Int, _ seed: UInt64, _ world: ChaosWorld) {
    let survivors = Lock<[any ChaosMember]>([])
    let done = DispatchGroup()
    // In every second round, no operation ends the session.
    world.deactivates.withLock { $0 = round % 2 == 0 }
    world.wholeApplicators.withLock { $0 = round % 4 < 2 }
    for thread in 0..<Self.threads {
      done.enter()
      Thread.detachNewThread {
        var random = SeededGenerator(seed: seed &+ UInt64(round * Self.threads + thread) &* 77_777)
        var members: [any ChaosMember] = []
        var tokens: [ObservationToken] = []
        for _ in 0..<Self.operationsInARound { world.operate(&random, &members, &tokens) }
        let own = members
        survivors.withLock { $0 += own }
        done.leave()
      }
    }
    done.wait()
    world.settle()
    world.check(survivors.withLock { $0 })
  }

  /// The resident memory of this process in bytes, or 0 if it is unknown.
  private static var residentSize: Int {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else {
      return 0
    }
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * 4096
  }
}
