import HearingDSP
import HearingVoice
import RealTimeProbe
import SignalTestSupport
import TestSupport
import XCTest

final class OtherAudioDuckerRenderContractTests: XCTestCase {
  func test_process_doesNotAllocateLockOrCountReferences() throws {
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
