import HearingAudio
import XCTest

final class MemoryFrameSourceTests: XCTestCase {
  func test_read_deliversEachFrameOnce_andRepeatsFramesAfterASeek() throws {
    let source = MemoryFrameSource([[1, 2, 3], [4, 5, 6]], sampleRate: 8000)
    let block = AudioBlock(channelCount: 2, capacity: 2)
    XCTAssertEqual(source.remainingFrameCount, 3)
    XCTAssertEqual(source.read(into: block), 2)
    XCTAssertEqual(block.samples, [[1, 2], [4, 5]])
    XCTAssertEqual(source.read(into: block), 1)
    XCTAssertEqual(block.samples, [[3], [6]])
    XCTAssertEqual(source.read(into: block), 0)
    source.position = 1
    XCTAssertEqual(source.read(into: block), 2)
    XCTAssertEqual(block.samples, [[2, 3], [5, 6]])
  }
}
