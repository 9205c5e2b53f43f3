import Foundation
import HearingFitting
import HearingProcessing
import TestSupport
import XCTest

@testable import HearingRemote

/// Loads presets from a server that gives random answers. Most of the answers are invalid. The
/// environment variable `FAULT_COUNT` sets the number of loads. The default is 300.
final class RandomFaultTests: XCTestCase {
  private let history = LoadHistory()
  private let limit = TimeLimit()

  override func setUp() {
    limit.begin(name, seconds: 1_800)
  }

  override func tearDown() {
    limit.end()
  }

  /// Four listeners load presets at the same time, each with a separate cache. Before the counted
  /// loads begin, each cache contains a preset.
  func test_load_duringRandomServerFaults_alwaysReturnsAPreset() async throws {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    let count = ProcessInfo.processInfo.environment["FAULT_COUNT"].flatMap { Int($0) } ?? 300
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = try server(seed)
    defer { server.stop() }
    let url = try server.url()
    history.begin(seconds: 20)
    defer { history.end() }
    let counts = try await withThrowingTaskGroup(of: Counts.self) { group in
      for listener in 0..<4 {
        group.addTask { [history] in
          try await Self.load(count / 4, of: "\(listener)", from: url, in: folder, history)
        }
      }
      return try await group.reduce(into: Counts()) { $0 += $1 }
    }
    print("\(counts.fresh) fresh, \(counts.cached) from the cache, seed \(seed)")
    XCTAssertEqual(counts.lost, 0, "seed \(seed): a cached preset was lost or not used")
    XCTAssertEqual(counts.fresh + counts.cached, count / 4 * 4, "seed \(seed)")
  }

  private struct Counts: Sendable {
    var fresh = 0
    var cached = 0
    var lost = 0

    static func += (sum: inout Counts, other: Counts) {
      sum.fresh += other.fresh
      sum.cached += other.cached
      sum.lost += other.lost
    }
  }

  private static func load(
    _ count: Int, of listener: String, from url: URL, in folder: URL, _ history: LoadHistory
  ) async throws -> Counts {
    var counts = Counts()
    let cache = PresetCache(url: url, key: listener, directory: folder)
    // A source delays its next load after a failure. Therefore each load uses a new source.
    func source(timeout: Duration) -> HTTPPresetSource {
      HTTPPresetSource(
        url: url, cacheKey: listener, directory: folder, allowsInsecureHTTP: true,
        timeout: timeout)
    }
    // After the cache contains a preset, every load must return a preset. This is also true if the
    // machine is so busy that no answer arrives in time.
    while cache.read() == nil {
      history.note("listener \(listener), before the first preset")
      _ = try? await source(timeout: .seconds(5)).loadPreset()
    }
    for round in 0..<count {
      history.note("listener \(listener), load \(round)")
      let source = source(timeout: .milliseconds(40))
      let before = cache.read()
      do {
        let loaded = try await source.loadPreset()
        if case .current = source.freshness.value {
          counts.fresh += 1
        } else if loaded == before?.preset {
          counts.cached += 1
        } else {
          counts.lost += 1
        }
      } catch is HTTPPresetError {
        counts.lost += 1
      }
      if cache.read() == nil { counts.lost += 1 }
    }
    return counts
  }

  private func server(_ seed: UInt64) throws -> FaultServer {
    let random = Guarded(SeededGenerator(seed: seed))
    let bodies = [
      try Fitting.techLevel(2).preset(for: HearingProfile(left: .n2)),
      try Fitting.techLevel(2).preset(for: HearingProfile(right: .n3)),
    ].map { $0.jsonData() }
    return try FaultServer { [history] _ in
      let (kind, choice, cut) = random.withLock { random in
        (Int(random.next() % 13), Int(random.next() % 2), random.next())
      }
      history.note("answer of kind \(kind)")
      return Self.answer(kind, bodies[choice], cut)
    }
  }

  private static func answer(_ kind: Int, _ body: Data, _ cut: UInt64) -> FaultServer.Answer {
    let json = ["Content-Type": "application/json"]
    let position = Int(cut % UInt64(body.count))
    switch kind {
    case 0: return .answer(status: 200, headers: json, body: body.prefix(position))
    case 1: return .wrongLength(body.count + 1 + position, body: body)
    case 2: return .wrongLength(position, body: body)
    case 3: return .dripping(body: body.prefix(60), pause: 0.000_1)
    case 4:
      // A quarter of the endless answers has no pauses.
      guard position % 8 == 0 else { return .closed }
      return .endless(seconds: 0.1, pause: position % 32 == 0 ? 0 : 0.000_1)
    case 5: return .silent(0.05)
    case 6: return .answer(status: 200, headers: ["Content-Type": "text/html"], body: body)
    case 7:
      var bad = body
      bad[position] ^= UInt8(truncatingIfNeeded: 1 + cut >> 32 % 255)
      return .answer(status: 200, headers: json, body: bad)
    case 8: return .answer(status: 302, headers: ["Location": "/preset?\(cut % 2)"], body: Data())
    case 9: return .answer(status: 500 + Int(cut % 5), headers: json, body: body)
    case 10: return .garbage(Data(body.prefix(position)))
    case 11: return .answer(status: 304, headers: [:], body: Data())
    default: return .answer(status: 200, headers: json, body: body)
    }
  }
}

/// Records the last events of the test. If there is no event for a long time, prints these events
/// and ends the process.
private final class LoadHistory: Sendable {
  private let state = Guarded((events: [String](), count: 0, isOver: false))

  func note(_ event: String) {
    state.withLock { state in
      state.count += 1
      state.events.append(event)
      if state.events.count > 40 { state.events.removeFirst(20) }
    }
  }

  func begin(seconds: Int) {
    Thread.detachNewThread { [self] in
      var (last, quiet) = (-1, 0)
      while true {
        Thread.sleep(forTimeInterval: 1)
        let (count, isOver) = state.withLock { ($0.count, $0.isOver) }
        if isOver { return }
        quiet = count == last ? quiet + 1 : 0
        last = count
        if quiet >= seconds {
          let events = state.withLock { $0.events }
          fatalError("no load has ended for \(quiet) s:\n\(events.joined(separator: "\n"))")
        }
      }
    }
  }

  func end() {
    state.withLock { $0.isOver = true }
  }
}
