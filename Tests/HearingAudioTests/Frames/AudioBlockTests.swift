import XCTest

@testable import HearingAudio

final class AudioBlockTests: XCTestCase {
  func test_init_isSilentAndHasNoValidFrames() {
    let block = AudioBlock(channelCount: 3, capacity: 5)
    XCTAssertEqual(block.frameCount, 0)
    XCTAssertEqual(block.samples, [[], [], []])
    block.frameCount = 5
    XCTAssertEqual(block.samples, [[Float]](repeating: [0, 0, 0, 0, 0], count: 3))
  }

  func test_channels_areAlignedTo64Bytes_andDoNotOverlap() {
    let block = AudioBlock([[1, 2, 3], [4, 5, 6]])
    block.channels[0][2] = 9
    block[1][0] = -1
    XCTAssertEqual(block.samples, [[1, 2, 9], [-1, 5, 6]])
    for channel in 0..<2 {
      XCTAssertEqual(UInt(bitPattern: block.channels[channel]) % 64, 0)
    }
  }
}
