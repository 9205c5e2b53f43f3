import HearingFitting
import XCTest

@testable import HearingAudio

final class BufferedBytesTests: XCTestCase {
  private let all = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }

  func test_fillConsumeAndSkip_advanceThroughTheWholeSource() throws {
    for source in [MemoryByteSource(all), StreamByteSource(all)] as [any ByteSource] {
      let input = BufferedBytes(source)
      XCTAssertGreaterThanOrEqual(try input.fill(atLeast: 10), 10)
      XCTAssertEqual(input.first(10), Array(all[..<10]))
      input.consume(7)
      XCTAssertEqual(try input.skip(100_000), 100_000)
      XCTAssertEqual(input.offset, 100_007)
      XCTAssertGreaterThanOrEqual(
        try input.fill(atLeast: BufferedBytes.windowSize), BufferedBytes.windowSize)
      XCTAssertEqual(input.first(50), Array(all[100_007..<100_057]))
      XCTAssertEqual(try input.skip(.max), 99_993)
      XCTAssertEqual(try input.fill(atLeast: 1), 0)
      XCTAssertEqual(input.offset, 200_000)
    }
  }
}
