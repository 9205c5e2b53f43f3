import HearingAudio
import XCTest

final class RenderStatusTests: XCTestCase {
  func test_rawValues_matchTheNumbersOfCoreAudio() {
    XCTAssertEqual(RenderStatus.success.rawValue, 0)
    XCTAssertEqual(RenderStatus.tooManyFrames.rawValue, -10_874)
    XCTAssertEqual(RenderStatus.unsuitableBuffers.rawValue, -50)
  }

  func test_description_ofAKnownStatusIsItsName_ofAnUnknownStatusItsNumber() {
    XCTAssertEqual("\(RenderStatus.tooManyFrames)", "too many frames (-10874)")
    XCTAssertEqual("\(RenderStatus(rawValue: -1))", "status -1")
  }
}
