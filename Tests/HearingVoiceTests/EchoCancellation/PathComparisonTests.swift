import XCTest

@testable import HearingVoice

final class PathComparisonTests: XCTestCase {
  private let plan = EchoPlan(sampleRate: 16_000, tail: 0.192)

  /// Creates a comparison of two filters. Adds blocks with the given energies while the loudspeaker
  /// plays.
  private func comparison(
    _ blocks: [(microphone: Float, echo: Float, room: Float, count: Int)]
  ) -> PathComparison {
    var paths = PathComparison()
    for block in blocks {
      for _ in 0..<block.count {
        _ = paths.add(
          microphone: block.microphone, echo: block.echo, room: block.room, shadow: block.room,
          reference: 10, plan: plan)
      }
    }
    return paths
  }

  func test_roomHarms_convergedFilterAndLoudNearTalk_isFalse() {
    // The near-end talk is 10 dB louder than the echo. By chance, it cancels part of the echo.
    let paths = comparison([(1, 1, 0.01, 50), (0.75, 0.1, 1, 20)])
    XCTAssertFalse(paths.roomHarms)
  }

  func test_roomHarms_convergedFilterAndEchoOfAnotherPath_isTrue() {
    let paths = comparison([(1, 1, 0.01, 50), (1, 1, 2, 5)])
    XCTAssertTrue(paths.roomHarms)
  }

  func test_roomHarms_newFilterThatAddsPower_isTrue() {
    XCTAssertTrue(comparison([(1, 0.1, 1.1, 5)]).roomHarms)
  }
}
