import Foundation
import HearingDSP
import RealTimeProbe
import SignalTestSupport
import TestSupport
import XCTest

final class BandGainProcessorRenderContractTests: XCTestCase {
  private final class Something {}
  private var held: Something?

  @inline(never)
  private func hold(_ something: Something?) {
    held = something
  }

  /// Writes a property in a way that the optimiser cannot remove.
  @inline(never)
  @_optimize(none)
  private func use(
    _ path: ReferenceWritableKeyPath<BandGainProcessorRenderContractTests, Something?>
  ) {
    self[keyPath: path] = nil
  }

  override func setUpWithError() throws {
    try XCTSkipUnless(
      real_time_probe_works(), "calls are counted on Linux without a sanitizer only")
    #if DEBUG
      throw XCTSkip("an unoptimised build counts references where a release build does not")
    #endif
  }

  /// Renders `frameCount` frames in blocks of `block` frames. Counts the calls that a render thread
  /// must not make, such as allocations and locks.
  @inline(never)
  private func countedCalls(
    of processor: BandGainProcessor, _ channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>,
    _ frames: UnsafeMutablePointer<Float>, frameCount: Int, block: Int
  ) -> RealTimeProbeCounts {
    real_time_probe_start()
    var done = 0
    while done < frameCount {
      let count = min(block, frameCount - done)
      processor.process(channels, frameCount: count)
      processor.processInterleaved(frames, frameCount: count)
      done += count
    }
    return real_time_probe_stop()
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
        let counts = countedCalls(
          of: processor, base, frames, frameCount: block == 1 ? 500 : 4_096, block: block)
        XCTAssertEqual(counts.total, 0, "round \(round): \(counts)")
      }
      real_time_probe_start()
      processor.reset()
      XCTAssertEqual(real_time_probe_stop().total, 0)
    }
  }

  func test_realTimeProbe_countsEveryKindOfForbiddenCall() {
    real_time_probe_start()
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 8)
    memory.storeBytes(of: 1, as: Int.self)
    memory.deallocate()
    var counts = real_time_probe_stop()
    XCTAssertEqual(counts.allocations, 1)
    XCTAssertEqual(counts.deallocations, 1)

    let lock = NSLock()
    real_time_probe_start()
    lock.lock()
    lock.unlock()
    counts = real_time_probe_stop()
    XCTAssertGreaterThan(counts.locks, 0)

    let kept = Something()
    real_time_probe_start()
    hold(kept)
    hold(nil)
    counts = real_time_probe_stop()
    XCTAssertGreaterThan(counts.retains, 0)
    XCTAssertGreaterThan(counts.releases, 0)

    real_time_probe_start()
    let array = (0..<Int.random(in: 3...4)).map { $0 }
    counts = real_time_probe_stop()
    XCTAssertGreaterThan(counts.objects, 0, "\(array)")

    real_time_probe_start()
    hold(Something())
    use(\.held)
    counts = real_time_probe_stop()
    XCTAssertGreaterThan(counts.accesses, 0)
  }
}
