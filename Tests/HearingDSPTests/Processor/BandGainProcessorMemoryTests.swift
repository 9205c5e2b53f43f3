import HearingDSP
import RealTimeProbe
import SignalTestSupport
import TestSupport
import XCTest

/// Tests how much memory a processor uses, and that it frees all of it.
final class BandGainProcessorMemoryTests: XCTestCase {
  private let rate = 48_000.0

  override func setUpWithError() throws {
    try XCTSkipUnless(
      real_time_probe_works(), "memory is counted on Linux without a sanitizer only")
  }

  /// Creates new settings in each call. The processor retains the memory of its settings, so this
  /// memory is also counted.
  private func settings(channels: Int, layout: BandLayout) throws -> ProcessorSettings {
    let curve = try Curves.compressing(ratio: 3, gainAt65: 20)
    return ProcessorSettings(
      curves: (0..<channels).map { _ in layout.centers.map { _ in curve } })
  }

  /// The number of bytes that a compressing processor uses after rendering, and the number of bytes
  /// that remain after the processor is freed.
  private func bytes(
    channels: Int, layout: BandLayout, _ limiter: LimiterConfiguration
  ) throws -> (used: Int64, left: Int64) {
    let frames = UnsafeMutablePointer<Float>.allocate(capacity: 512 * channels)
    frames.initialize(repeating: 0.1, count: 512 * channels)
    defer { frames.deallocate() }
    let spec = ProcessingSpec(sampleRate: rate, channelCount: channels)
    real_time_probe_start()
    var processor: BandGainProcessor? = try BandGainProcessor(
      spec: spec, layout: layout, limiter: limiter)
    // Applies settings and renders often enough to write every settings slot of the processor.
    for _ in 0..<4 {
      try processor?.apply(settings(channels: channels, layout: layout))
      processor?.processInterleaved(frames, frameCount: 512)
    }
    let used = real_time_probe_stop().bytes
    real_time_probe_start()
    processor = nil
    return (used, used + real_time_probe_stop().bytes)
  }

  func test_stereoProcessor_usesLessThan64KiB() throws {
    // In debug builds, a row of memory also stores its valid indices. Therefore the limit is
    // higher.
    let limit: Int64 = Signals.isDebugBuild ? 81_920 : 65_536
    let limiters: [(String, LimiterConfiguration)] = [
      ("plain", LimiterConfiguration()), ("linked", LimiterConfiguration(isLinked: true)),
      ("2 ms ahead, linked", LimiterConfiguration(lookAhead: 0.002, isLinked: true)),
      ("10 ms ahead", LimiterConfiguration(lookAhead: 0.01)),
    ]
    // The first call causes allocations that occur only once per process. The measurements below
    // must not count them.
    _ = try bytes(channels: 2, layout: .audiometric, limiters[3].1)
    for (name, limiter) in limiters {
      let bytes = try bytes(channels: 2, layout: .audiometric, limiter)
      print("ten bands, stereo, compression, limiter \(name): \(bytes.used) bytes")
      XCTAssertLessThan(bytes.used, limit, name)
      XCTAssertEqual(bytes.left, 0, name)
    }
  }

  func test_memory_growsNoFasterThanChannelsAndBands() throws {
    guard !Signals.isSanitized else { throw XCTSkip("many bands take too long with a sanitizer") }
    let most = try BandLayout(centers: (0..<32).map { 60 * pow(2, Double($0) / 4) })
    let limiter = LimiterConfiguration(lookAhead: 0.002, isLinked: true)
    _ = try bytes(channels: 8, layout: most, limiter)
    let stereo = try bytes(channels: 2, layout: .audiometric, limiter).used
    for (channels, layout) in [
      (1, BandLayout.audiometric), (8, .audiometric), (1, most), (2, most), (8, most),
    ] {
      let bytes = try bytes(channels: channels, layout: layout, limiter)
      let bands = layout.centers.count
      print("\(bands) bands, \(channels) channels: \(bytes.used) bytes")
      XCTAssertEqual(bytes.left, 0)
      // The memory of one matrix is proportional to the square of the number of bands. All other
      // memory is proportional to the numbers of channels and bands.
      XCTAssertLessThan(bytes.used, stereo * Int64(max(1, channels / 2) * max(1, bands / 10)) * 2)
    }
  }
}
