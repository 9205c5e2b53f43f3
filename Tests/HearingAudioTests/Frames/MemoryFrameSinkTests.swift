import HearingAudio
import XCTest

final class MemoryFrameSinkTests: XCTestCase {
  func test_write_appendsSamples_andAbandonRemovesThem() throws {
    let sink = MemoryFrameSink(channelCount: 2)
    sink.write([[1, 2], [3, 4]])
    sink.write([[5], [6]])
    XCTAssertEqual(sink.samples, [[1, 2, 5], [3, 4, 6]])
    XCTAssertFalse(sink.isFinished)
    sink.finish()
    XCTAssertTrue(sink.isFinished)
    sink.abandon()
    XCTAssertEqual(sink.samples, [[], []])
  }
}
