import HearingBuffers
import SignalTestSupport
import XCTest

@testable import HearingDSP

final class RenderEventMemoryTests: XCTestCase {
  /// The control thread receives the overflow table at the most difficult moment. The render thread
  /// has just checked that the table was not received yet.
  func test_drain_justBeforeTheRenderThreadAddsToTheOverflow_deliversEachEventOnce() {
    let memory = RenderEventMemory(capacity: 1)
    let kind = RenderEvent.Kind(rawValue: 0x1_0000)
    let other = RenderEvent.Kind(rawValue: 0x1_0001)
    memory.publish(RenderEvent(kind, frame: 1))
    memory.publish(RenderEvent(kind, frame: 2))
    var events: [RenderEvent] = []
    memory.drain(into: &events)
    XCTAssertEqual(events.map(\.frame), [1, 2])
    memory.addToOverflow(NumberedRenderEvent(number: 3, event: RenderEvent(other, frame: 3)))
    memory.drain(into: &events)
    XCTAssertEqual(events.map(\.frame), [1, 2, 3])
    XCTAssertEqual(memory.missedCount[0], 0)
  }
}
