import HearingBuffers
import SignalTestSupport
import TestSupport
import XCTest

@testable import HearingVoice

final class PlaybackPathTests: XCTestCase {
  func test_process_playbackAndReference_areTheFarVoicePlusDuckedOtherAudio() throws {
    let count = 80
    var path = try PlaybackPath(sampleRate: 8_000, farProcessor: nil)
    var generator = SeededGenerator(seed: 53)
    let rows = (0..<3).map { _ in Signals.noise(count: count, amplitude: 0.3, using: &generator) }
    let memory = OwnedRow<Float>.filled(0, count: 6 * count)
    for row in 0..<3 { memory.from(row * count).write(rows[row]) }
    memory.from(3 * count).write(Array(repeating: .nan, count: 3 * count))
    var pointers = (0..<6).map { memory.from($0 * count).pointer }
    let block = pointers.withUnsafeMutableBufferPointer { channels in
      let first = UnsafePointer(channels.baseAddress!)
      return CallBlock.PlaybackBlock(
        farVoice: StereoRows(first, channelCount: 1, count: count),
        otherAudio: StereoRows(first + 1, count: count),
        target: StereoRows(first + 4, count: count))
    }
    path.process(block, from: 0, count: count)
    path.write(block, from: 0, count: count)
    XCTAssertNotNil(path.decision)
    let gain = Float(pow(10, -0.5))
    for index in 0..<count {
      let left = rows[0][index] + gain * rows[1][index]
      let right = rows[0][index] + gain * rows[2][index]
      XCTAssertEqual(memory[4 * count + index], left, accuracy: 1e-6)
      XCTAssertEqual(memory[5 * count + index], right, accuracy: 1e-6)
      XCTAssertEqual(path.reference.mean[index], 0.5 * (left + right), accuracy: 1e-6)
      XCTAssertEqual(path.reference.difference[index], 0.5 * (left - right), accuracy: 1e-6)
    }
  }
}
