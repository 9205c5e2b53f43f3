import HearingDSP
import SignalTestSupport
import TestSupport
import XCTest

@testable import HearingVoice

final class PlaybackPathTests: XCTestCase {
  func test_process_agreesWithAPlainSum_inPlaybackAndReference() throws {
    let count = 80
    var path = PlaybackPath(
      sampleRate: 8_000, farChannelCount: 1, farProcessor: nil,
      detector: try VoiceActivityDetector(sampleRate: 8_000),
      ducker: try OtherAudioDucker(spec: ProcessingSpec(sampleRate: 8_000, channelCount: 2)),
      capacity: 84)
    var generator = SeededGenerator(seed: 53)
    let rows = (0..<3).map { _ in Signals.noise(count: count, amplitude: 0.3, using: &generator) }
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: 6 * count)
    defer { memory.deallocate() }
    for row in 0..<3 { (memory + row * count).initialize(from: rows[row], count: count) }
    (memory + 3 * count).initialize(repeating: .nan, count: 3 * count)
    let channels = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: 6)
    defer { channels.deallocate() }
    for row in 0..<6 { (channels + row).initialize(to: memory + row * count) }
    let block = CallBlock.PlaybackBlock(
      farVoice: channels, otherAudio: channels + 1, target: channels + 4)
    path.process(block, from: 0, count: count)
    path.write(block, from: 0, count: count)
    XCTAssertNotNil(path.decision)
    let gain = Float(pow(10, -0.5))
    for index in 0..<count {
      let left = rows[0][index] + gain * rows[1][index]
      let right = rows[0][index] + gain * rows[2][index]
      XCTAssertEqual(memory[4 * count + index], left, accuracy: 1e-6)
      XCTAssertEqual(memory[5 * count + index], right, accuracy: 1e-6)
      XCTAssertEqual(path.reference[index], 0.5 * (left + right), accuracy: 1e-6)
    }
  }
}
