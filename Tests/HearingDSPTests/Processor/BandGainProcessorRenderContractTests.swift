import Foundation
import HearingDSP
import RealTimeProbe
import SignalTestSupport
import TestSupport
import XCTest

final class BandGainProcessorRenderContractTests: XCTestCase {
  override func setUpWithError() throws {
    try XCTSkipUnless(
      real_time_probe_works(), "calls are counted on Linux without a sanitizer only")
    #if DEBUG
      throw XCTSkip("an unoptimised build counts references where a release build does not")
    #endif
  }

  func test_process_doesNotAllocateLockOrCountReferences() throws {
    for (_, limiter) in Limiters.all { try checkCalls(limiter) }
  }

  private func checkCalls(_ limiter: LimiterConfiguration) throws {
    var generator = SeededGenerator(seed: 41)
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: 48_000, channelCount: 2), limiter: limiter)
    let memory = (0..<2).map { _ in UnsafeMutablePointer<Float>.allocate(capacity: 4_096) }
    let frames = UnsafeMutablePointer<Float>.allocate(capacity: 8_192)
    defer {
      memory.forEach { $0.deallocate() }
      frames.deallocate()
    }
    frames.initialize(repeating: .nan, count: 8_192)
    for pointer in memory {
      pointer.initialize(
        from: Signals.noise(count: 4_096, amplitude: 2, using: &generator), count: 4_096)
    }
    var channels = memory
    try channels.withUnsafeMutableBufferPointer { buffer in
      let base = try XCTUnwrap(buffer.baseAddress)
      // The rounds cover constant gains, transitions, fades, limiting and bypass. The blocks are
      // small and large.
      for round in 0..<40 {
        if round % 3 == 0 {
          let gains = (0..<2).map { _ in
            Signals.hearingLikeGains(centers: processor.layout.centers, using: &generator)
          }
          var settings = ProcessorSettings(
            gains: gains, outputCeiling: 90, isEnabled: round % 4 != 1)
          // In some rounds, the gains depend on the level. The number of points of the gain curve
          // increases with the round.
          if round % 2 == 0 {
            let points = (0...round).map { (index: Int) -> BandCurve.Point in
              BandCurve.Point(level: Double(20 + 2 * index), gain: Double(40 - index))
            }
            let curve = try BandCurve(points: points, maximumOutput: round % 4 == 0 ? 90 : nil)
            settings.curves = Array(repeating: Array(repeating: curve, count: 10), count: 2)
            settings.channelLinking = 0.5
          }
          try processor.apply(settings)
        }
        let block = [1, 7, 64, 512, 4_096][round % 5]
        let counts = CountedCalls.rendering(
          processor, base, frames, frameCount: block == 1 ? 500 : 4_096, block: block)
        XCTAssertEqual(counts.total, 0, "round \(round): \(counts)")
      }
      XCTAssertEqual(CountedCalls.resetting(processor).total, 0)
    }
  }

  func test_realTimeProbe_countsEveryKindOfForbiddenCall() {
    let calls = ForbiddenCalls()
    XCTAssertEqual(calls.memory().allocations, 1)
    XCTAssertEqual(calls.memory().deallocations, 1)
    XCTAssertGreaterThan(calls.lock().locks, 0)
    XCTAssertGreaterThan(calls.references().retains, 0)
    XCTAssertGreaterThan(calls.references().releases, 0)
    let (counts, array) = calls.object()
    XCTAssertGreaterThan(counts.objects, 0, "\(array)")
    XCTAssertGreaterThan(calls.access().accesses, 0)
  }
}
