import XCTest

@testable import HearingAudio

final class SampleEncodingTests: XCTestCase {
  func test_properties_ofEveryEncoding_haveTheExpectedValues() {
    XCTAssertEqual(SampleEncoding.allCases.map(\.bitsPerSample), [8, 16, 24, 32, 32, 64])
    XCTAssertEqual(SampleEncoding.allCases.filter(\.isFloatingPoint), [.float32, .float64])
    XCTAssertEqual(SampleEncoding.uint8.largestSample, 127.0 / 128)
    XCTAssertEqual(SampleEncoding.int16.largestSample, 32767.0 / 32768)
    XCTAssertEqual(SampleEncoding.float32.largestSample, .infinity)
  }
}
