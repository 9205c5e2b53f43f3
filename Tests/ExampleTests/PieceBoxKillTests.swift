import Dispatch
import Foundation
import HearingAudio
import HearingPieces
import TestSupport
import XCTest

/// Runs `piece-box drop` many times and kills the processes at random moments.
final class PieceBoxKillTests: XCTestCase {
  private static let lanes = 4
  // A release build kills more processes.
  #if DEBUG
    private static let killsPerLane = 12
  #else
    private static let killsPerLane = 50
  #endif

  func test_drop_killedAtARandomMoment_leavesACompletePieceOrNone() async throws {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    let folder = try ScratchFolder()
    let stem = try writeStem(to: folder)
    let arguments = ["drop", "in.wav", "--title"]
    let tool = try BuiltExecutable("piece-box")
    let exchange = PieceExchange(
      configuration: try PieceConfiguration(applicationIdentifier: "a", apiKey: "k"),
      library: FolderPieceLibrary(folder: folder.url.appendingPathComponent("pieces")))
    let finished = Recorder<String>()
    let url = folder.url
    // Several processes run at the same time and use the same folder. The test kills some of them.
    await withTaskGroup(of: Void.self) { group in
      for lane in 0..<Self.lanes {
        group.addTask {
          var generator = SeededGenerator(seed: seed &+ UInt64(lane))
          do {
            let tool = try BuiltExecutable("piece-box")
            // The duration of one run is measured while the other processes are running.
            let duration = try Self.shortest(of: 3) {
              XCTAssertEqual(try tool.run(arguments + ["whole"], in: url).exitCode, 0)
            }
            for kill in 0..<Self.killsPerLane {
              let title = "\(lane)-\(kill)"
              let isFinished = try tool.run(
                arguments + [title], in: url,
                killedAfter: .random(in: 0...1.4 * duration, using: &generator))
              if isFinished { finished.record(title) }
              let listing = try await exchange.listing()
              XCTAssertEqual(listing.broken, [:], "after \(title)")
              let count = listing.pieces.count { $0.metadata.title == title }
              XCTAssertTrue(isFinished ? count == 1 : count <= 1, title)
            }
          } catch {
            XCTFail("\(error)")
          }
        }
      }
    }
    let listing = try await exchange.listing()
    for record in listing.pieces {
      let file = try await exchange.piece(record.identifier).mixStem()
      XCTAssertEqual(try Data(contentsOf: file), stem)
    }
    let left = try hiddenNames(in: folder)
    print(
      "\(Self.lanes * Self.killsPerLane) drops: \(finished.events.count) ended before they were",
      "killed, \(listing.pieces.count - 3 * Self.lanes) pieces, \(left.count) leftovers")
    XCTAssertEqual(try tool.run(arguments + ["last"], in: folder.url).exitCode, 0)
    XCTAssertEqual(try hiddenNames(in: folder), [], "a later drop removes them")
  }

  private func writeStem(to folder: ScratchFolder) throws -> Data {
    let samples = (0..<10_000).map { Float(0.1 * sin(Double($0) * 0.1)) }
    let format = WAVFormat(sampleRate: 48_000, channelCount: 2, encoding: .float32)
    let data = Data(try WAVWriter.bytes(of: [samples, samples], format: format))
    try data.write(to: folder.url.appendingPathComponent("in.wav"))
    return data
  }

  private func hiddenNames(in folder: ScratchFolder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path("pieces"))
      .filter { $0.hasPrefix(".") }
  }

  /// Calls `body` `count` times. Returns the minimum duration of one call in seconds.
  private static func shortest(of count: Int, _ body: () throws -> Void) rethrows -> Double {
    try (0..<count).map { _ in
      let start = DispatchTime.now().uptimeNanoseconds
      try body()
      return Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
    }.min() ?? 0
  }
}
