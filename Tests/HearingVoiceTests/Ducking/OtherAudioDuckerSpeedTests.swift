import HearingDSP
import HearingVoice
import RealTimeProbe
import SignalTestSupport
import TestSupport
import XCTest

final class OtherAudioDuckerSpeedTests: XCTestCase {
  func test_process_stereo_staysWithinItsTimeLimit() throws {
    guard !Signals.isDebugBuild else { throw XCTSkip("timing needs a release build") }
    let frames = 48_000
    let clock = ContinuousClock()
    for isMoving in [false, true] {
      for block in [64, 512] {
        var ducker = try OtherAudioDucker(
          spec: ProcessingSpec(sampleRate: 48_000, channelCount: 2),
          configuration: .init(enableAdvancedDucking: true))
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: 2 * block)
        memory.initialize(repeating: 0.1, count: 2 * block)
        defer { memory.deallocate() }
        var best = Double.infinity
        for _ in 0..<20 {
          let channels = [memory, memory + block]
          let time = clock.measure {
            channels.withUnsafeBufferPointer { buffer in
              guard let base = buffer.baseAddress else { return }
              for index in 0..<frames / block {
                if isMoving && index % 8 == 0 { ducker.isSomebodyTalking.toggle() }
                if isMoving && index % 8 == 4 {
                  ducker.configuration.enableAdvancedDucking.toggle()
                }
                // The samples are reset. Otherwise, they would become smaller in every block and
                // finally denormal.
                memory.update(repeating: 0.1, count: 2 * block)
                ducker.process(base, frameCount: block)
              }
            }
          }
          best = min(best, time / .nanoseconds(1) / Double(frames))
        }
        print("ducking, block \(block), \(isMoving ? "moving" : "steady"): \(best) ns a frame")
        XCTAssertLessThan(best, 6)
      }
    }
  }

  func test_process_makesNoForbiddenCall() throws {
    try XCTSkipUnless(
      real_time_probe_works(), "calls are counted on Linux without a sanitizer only")
    guard !Signals.isDebugBuild else { throw XCTSkip("calls are counted in a release build only") }
    var ducker = try OtherAudioDucker(
      spec: ProcessingSpec(sampleRate: 48_000, channelCount: 1),
      configuration: .init(enableAdvancedDucking: true))
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: 1_000)
    let channels = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: 1)
    defer {
      memory.deallocate()
      channels.deallocate()
    }
    memory.initialize(repeating: 1, count: 1_000)
    channels.initialize(to: memory)
    real_time_probe_start()
    for block in 0..<200 {
      if block % 7 == 0 { ducker.isSomebodyTalking.toggle() }
      ducker.process(channels, frameCount: 1 + block % 1_000)
    }
    ducker.reset()
    let counts = real_time_probe_stop()
    XCTAssertEqual(counts.total, 0, "\(counts)")
  }
}
