import XCTest

@testable import HearingAudio

final class ChannelMapTests: XCTestCase {
  func test_bothEars_mapsMonoToBothAndKeepsStereo() {
    XCTAssertEqual(ChannelMap.bothEars(of: 1).inputs, [0, 0])
    XCTAssertEqual(ChannelMap.bothEars(of: 2).inputs, [0, 1])
    XCTAssertEqual(ChannelMap.bothEars(of: 6).inputs, [0, 1])
    XCTAssertEqual(ChannelMap.identity(3).inputs, [0, 1, 2])
  }
}
