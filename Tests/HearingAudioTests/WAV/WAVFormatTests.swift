import XCTest

@testable import HearingAudio

final class WAVFormatTests: XCTestCase {
  func test_channelMask_byDefault_matchesTheChannelCount() {
    func mask(_ count: Int) -> UInt32 {
      WAVFormat(sampleRate: 8000, channelCount: count, encoding: .int16).channelMask
    }
    XCTAssertEqual([1, 2, 3, 4, 6, 8].map(mask), [0x4, 0x3, 0, 0x33, 0x3F, 0x63F])
    let format = WAVFormat(
      sampleRate: 8000, channelCount: 2, encoding: .int16, channelMask: 0x30)
    XCTAssertEqual(format.channelMask, 0x30)
  }
}
