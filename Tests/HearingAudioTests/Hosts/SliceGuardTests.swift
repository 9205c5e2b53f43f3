import HearingAudio
import HearingDSP
import HearingProcessing
import RealTimeProbe
import SignalTestSupport
import TestSupport
import XCTest

final class SliceGuardTests: XCTestCase {
  private func makeGuard(
    channelCount: Int = 1, maximum: Int = 4_096, splitsSlices: Bool = true
  ) -> SliceGuard {
    SliceGuard(
      sampleRate: 44_100, channelCount: channelCount, maximumFrameCount: maximum,
      splitsSlices: splitsSlices)
  }

  /// Renders a slice through a slice guard and returns the result. Every input sample is 1.
  private func ask(
    _ sliceGuard: SliceGuard, _ frameCount: Int, by renderer: (AudioSlice) -> RenderStatus
  ) -> (status: RenderStatus, isSilence: Bool, samples: [[Float]]) {
    let block = AudioBlock(
      Array(repeating: Array(repeating: 1, count: frameCount), count: sliceGuard.channelCount))
    var isSilence = false
    let status = sliceGuard.render(block, outputIsSilence: &isSilence, by: renderer)
    return (status, isSilence, block.samples)
  }

  private func kinds(_ sliceGuard: SliceGuard) -> [RenderEvent.Kind] {
    sliceGuard.events.drain().map(\.kind)
  }

  func test_init_byDefault_allows4096Frames_andSplitsLargerSlices() {
    let sliceGuard = SliceGuard(sampleRate: 44_100, channelCount: 2)
    XCTAssertEqual(sliceGuard.maximumFrameCount, 4_096)
    XCTAssertTrue(sliceGuard.splitsSlices)
    XCTAssertEqual(sliceGuard.preferredBufferDuration, 4_096 / 44_100)
  }

  func test_render_sliceThatFits_callsTheRendererOnceWithTheHostsMemory() {
    let sliceGuard = makeGuard(channelCount: 2)
    let block = AudioBlock([[1, 2, 3], [4, 5, 6]])
    var isSilence = false
    var calls = 0
    let status = sliceGuard.render(block, outputIsSilence: &isSilence) { slice in
      calls += 1
      XCTAssertEqual(slice.channels, block.channels)
      XCTAssertEqual([slice.channelCount, slice.frameCount, slice.offset], [2, 3, 0])
      slice.channels[1][2] = 7
      return .success
    }
    XCTAssertEqual(status, .success)
    XCTAssertEqual(calls, 1)
    XCTAssertFalse(isSilence)
    XCTAssertEqual(block.samples, [[1, 2, 3], [4, 5, 7]])
    XCTAssertEqual(kinds(sliceGuard), [])
  }

  func test_splitting_rendersATooLargeSliceInPartsInOrder() {
    let sliceGuard = makeGuard(channelCount: 2, maximum: 4)
    var parts: [[Int]] = []
    let (status, isSilence, samples) = ask(sliceGuard, 10) { slice in
      parts.append([slice.offset, slice.frameCount])
      for channel in 0..<2 {
        for frame in 0..<slice.frameCount {
          slice.channels[channel][frame] = Float(100 * channel + slice.offset + frame)
        }
      }
      return .success
    }
    XCTAssertEqual(status, .success)
    XCTAssertFalse(isSilence)
    XCTAssertEqual(parts, [[0, 4], [4, 4], [8, 2]])
    XCTAssertEqual(samples, [(0..<10).map { Float($0) }, (100..<110).map { Float($0) }])
  }

  func test_withoutSplitting_silencesATooLargeSlice_andReturnsTooManyFrames() {
    let sliceGuard = makeGuard(channelCount: 2, maximum: 4, splitsSlices: false)
    let (status, isSilence, samples) = ask(sliceGuard, 5) { _ in
      XCTFail("the renderer must not be called")
      return .success
    }
    XCTAssertEqual(status, .tooManyFrames)
    XCTAssertTrue(isSilence)
    XCTAssertEqual(samples, [[Float]](repeating: [Float](repeating: 0, count: 5), count: 2))
    XCTAssertEqual(ask(sliceGuard, 4) { _ in .success }.status, .success)
  }

  func test_splitting_givesTheSameBitsAsSmallerSlices() throws {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    let input = (0..<2).map { Signals.noise(count: 9_000, rms: 0.05, seed: seed &+ $0) }
    let (guarded, direct) = (try makeProcessor(), try makeProcessor())
    let sliceGuard = makeGuard(channelCount: 2, maximum: 256)
    var output: [[Float]] = [[], []]
    var expected: [[Float]] = [[], []]
    var start = 0
    while start < 9_000 {
      // The slices have between one frame and several times the maximum number of frames.
      let count = min(Int.random(in: 1...1_100, using: &generator), 9_000 - start)
      let rows = input.map { Array($0[start..<start + count]) }
      let block = AudioBlock(rows)
      var isSilence = false
      let status = sliceGuard.render(block, outputIsSilence: &isSilence) { slice in
        XCTAssertLessThanOrEqual(slice.frameCount, 256)
        guarded.process(slice)
        return .success
      }
      XCTAssertEqual(status, .success)
      for channel in 0..<2 { output[channel] += block.samples[channel] }
      start += count
    }
    for start in stride(from: 0, to: 9_000, by: 256) {
      let block = AudioBlock(input.map { Array($0[start..<min(start + 256, 9_000)]) })
      direct.process(block)
      for channel in 0..<2 { expected[channel] += block.samples[channel] }
    }
    XCTAssertEqual(output, expected)
    XCTAssertNotEqual(output, input)
  }

  private func makeProcessor() throws -> BandGainProcessor {
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: 44_100, channelCount: 2))
    let points = [BandCurve.Point(level: 40, gain: 25), BandCurve.Point(level: 80, gain: 5)]
    let curve = try BandCurve(points: points)
    var settings = ProcessorSettings(
      gains: Array(repeating: Array(repeating: 0, count: 10), count: 2), isEnabled: true)
    settings.curves = Array(repeating: Array(repeating: curve, count: 10), count: 2)
    try processor.apply(settings)
    return processor
  }

  func test_rendererError_silencesTheSlice_andTheNextSliceIsRendered() {
    let sliceGuard = makeGuard(channelCount: 2)
    let failure = RenderStatus(rawValue: -10_863)
    let failed = ask(sliceGuard, 8) { _ in failure }
    XCTAssertEqual(failed.status, failure)
    XCTAssertTrue(failed.isSilence)
    XCTAssertEqual(failed.samples, [[Float]](repeating: [Float](repeating: 0, count: 8), count: 2))
    let next = ask(sliceGuard, 8) { _ in .success }
    XCTAssertEqual(next.status, .success)
    XCTAssertFalse(next.isSilence)
    XCTAssertEqual(next.samples, [[Float]](repeating: [Float](repeating: 1, count: 8), count: 2))
    XCTAssertEqual(kinds(sliceGuard), [], "not an episode")
  }

  func test_errorOfAPart_silencesTheWholeSlice_andRendersNoFurtherPart() {
    let sliceGuard = makeGuard(maximum: 4)
    var offsets: [Int] = []
    let failure = RenderStatus(rawValue: -1)
    let (status, isSilence, samples) = ask(sliceGuard, 12) { slice in
      offsets.append(slice.offset)
      return slice.offset == 4 ? failure : .success
    }
    XCTAssertEqual(offsets, [0, 4])
    XCTAssertEqual(status, failure)
    XCTAssertTrue(isSilence)
    XCTAssertEqual(samples, [[Float](repeating: 0, count: 12)])
  }

  func test_render_success_leavesTheSilenceFlagUnchanged() {
    let sliceGuard = makeGuard()
    var isSilence = true
    _ = sliceGuard.render(AudioBlock([[1]]), outputIsSilence: &isSilence) { _ in .success }
    XCTAssertTrue(isSilence)
  }

  func test_emptySlice_doesNotCallTheRenderer_orEndAnEpisodeOfTooLargeSlices() {
    let sliceGuard = makeGuard(maximum: 4)
    _ = ask(sliceGuard, 5) { _ in .success }
    let (status, isSilence, _) = ask(sliceGuard, 0) { _ in
      XCTFail("there is nothing to render")
      return .success
    }
    XCTAssertEqual(status, .success)
    XCTAssertFalse(isSilence)
    XCTAssertEqual(kinds(sliceGuard), [.tooManyFrames])
  }

  func test_episode_ofTooLargeSlices_isPublishedOnceAtItsStartAndOnceAtItsEnd() {
    for splitsSlices in [true, false] {
      let sliceGuard = makeGuard(maximum: 4, splitsSlices: splitsSlices)
      for frameCount in [4, 5, 9, 5, 4, 3, 6, 1] {
        _ = ask(sliceGuard, frameCount) { _ in .success }
      }
      XCTAssertEqual(
        sliceGuard.events.drain(),
        [
          RenderEvent(.tooManyFrames, frame: 4, value: 5),
          RenderEvent(.slicesFitAgain, frame: 23, value: 4),
          RenderEvent(.tooManyFrames, frame: 30, value: 6),
          RenderEvent(.slicesFitAgain, frame: 36, value: 1),
        ], "\(splitsSlices)")
    }
  }

  func test_rendererThatReturnsTooManyFrames_startsAnEpisodeOfTooLargeSlices() {
    let sliceGuard = makeGuard()
    // The renderer accepts at most 512 frames.
    let renderer: (AudioSlice) -> RenderStatus = { $0.frameCount > 512 ? .tooManyFrames : .success }
    XCTAssertEqual(ask(sliceGuard, 1_024, by: renderer).status, .tooManyFrames)
    XCTAssertEqual(
      sliceGuard.events.drain(), [RenderEvent(.tooManyFrames, frame: 0, value: 1_024)])
    XCTAssertTrue(ask(sliceGuard, 1_024, by: renderer).isSilence)
    XCTAssertEqual(kinds(sliceGuard), [])
    XCTAssertEqual(ask(sliceGuard, 512, by: renderer).status, .success)
    XCTAssertEqual(kinds(sliceGuard), [.slicesFitAgain])
  }

  func test_otherErrorOfASliceThatFits_endsTheEpisodeOfTooLargeSlices() {
    let sliceGuard = makeGuard(maximum: 4)
    _ = ask(sliceGuard, 5) { _ in .success }
    _ = ask(sliceGuard, 4) { _ in RenderStatus(rawValue: -1) }
    XCTAssertEqual(kinds(sliceGuard), [.tooManyFrames, .slicesFitAgain])
  }

  func test_observeEpisodes_deliversTheBufferDuration_onTheMonitorsThread() {
    let scheduler = ManualScheduler()
    let monitor = RenderEventMonitor(scheduler: scheduler)
    let sliceGuard = makeGuard()
    let log = Recorder<String>()
    let episodes = Recorder<SliceEpisode>()
    let token = sliceGuard.observeEpisodes(through: monitor) {
      episodes.record($0)
      log.record("began")
    } ended: {
      log.record("ended")
    }
    _ = ask(sliceGuard, 1_024) { _ in .success }
    _ = ask(sliceGuard, 5_513) { _ in .success }
    _ = ask(sliceGuard, 6_000) { _ in .success }
    XCTAssertEqual(log.events, [])
    scheduler.advance(by: .milliseconds(20))
    XCTAssertEqual(log.events, ["began"])
    XCTAssertEqual(episodes.events.map(\.frameCount), [5_513])
    XCTAssertEqual(episodes.events.map(\.frame), [1_024])
    XCTAssertEqual(episodes.events.map(\.preferredBufferDuration), [4_096 / 44_100])
    _ = ask(sliceGuard, 1_024) { _ in .success }
    scheduler.advance(by: .milliseconds(20))
    XCTAssertEqual(log.events, ["began", "ended"])
    withExtendedLifetime(token) {}
  }

  func test_observeEpisodes_afterLostEvents_deliversBeginAndEndAlternately() {
    let monitor = RenderEventMonitor(scheduler: ManualScheduler())
    let sliceGuard = makeGuard(maximum: 4)
    let log = Recorder<String>()
    let token = sliceGuard.observeEpisodes(through: monitor) { _ in
      log.record("began")
    } ended: {
      log.record("ended")
    }
    // Each slice that is too large starts an episode, and the next smaller slice ends it. The event
    // ring is too small for all these events. The last episode does not end.
    for round in 0..<201 { _ = ask(sliceGuard, round % 2 == 0 ? 5 : 4) { _ in .success } }
    monitor.drain()
    XCTAssertEqual(log.events.last, "began")
    XCTAssertFalse(zip(log.events, log.events.dropFirst()).contains { $0 == $1 })
    withExtendedLifetime(token) {}
  }

  func test_failingSlices_repeatTheNotification_atMostTenTimesASecond() {
    let scheduler = ManualScheduler()
    let monitor = RenderEventMonitor(scheduler: scheduler)
    for splitsSlices in [true, false] {
      let sliceGuard = makeGuard(maximum: 512, splitsSlices: splitsSlices)
      let reports = Recorder<SliceEpisode>()
      let token = sliceGuard.observeEpisodes(through: monitor) { reports.record($0) }
      // At 44.1 kHz, 43 slices of 1,024 frames last about one second.
      for _ in 0..<43 {
        _ = ask(sliceGuard, 1_024) { _ in .success }
        scheduler.advance(by: .milliseconds(23))
      }
      if !splitsSlices {
        XCTAssertEqual(reports.events.count, 9)
        XCTAssertEqual(reports.events.map(\.isFirst), [true] + Array(repeating: false, count: 8))
        let frames = reports.events.map(\.frame)
        for (earlier, later) in zip(frames, frames.dropFirst()) {
          XCTAssertGreaterThanOrEqual(later - earlier, 4_410)
        }
      } else {
        XCTAssertEqual(reports.events.map(\.isFirst), [true], "nothing fails")
      }
      token.cancel()
    }
  }

  func test_hostBuffers_ofAnyLayoutAndEncoding_getTheSameSamples() throws {
    // 16-bit samples can represent these values exactly.
    let input: [[Float]] = (0..<2).map { channel in
      (0..<1_000).map { (frame: Int) -> Float in
        let value: Int = (frame * 31 + channel * 17) % 2_000 - 1_000
        return Float(value) / 32_768
      }
    }
    for splitsSlices in [true, false] {
      for encoding in [SampleEncoding.float32, .int16, .int24, .int32] {
        for isInterleaved in [false, true] {
          let sliceGuard = makeGuard(
            channelCount: 2, maximum: splitsSlices ? 300 : 1_000, splitsSlices: splitsSlices)
          var memory = [UInt8](repeating: 0, count: 2_000 * encoding.bitsPerSample / 8)
          let width = encoding.bitsPerSample / 8
          var encoder = SampleEncoder(encoding: encoding, channelCount: isInterleaved ? 2 : 1)
          memory.withUnsafeMutableBytes { memory in
            let rows = isInterleaved ? [input] : input.map { [$0] }
            for (index, row) in rows.enumerated() {
              let part = UnsafeMutableRawBufferPointer(
                rebasing: memory[(index * 1_000 * width)...])
              let block = AudioBlock(row)
              encoder.encode(block.channels, from: 0, frameCount: 1_000, into: part)
              withExtendedLifetime(block) {}
            }
            guard let base = memory.baseAddress else { return XCTFail("no memory") }
            let buffers =
              isInterleaved
              ? [HostBuffer(data: base, byteCount: memory.count, channelCount: 2)]
              : (0..<2).map {
                HostBuffer(
                  data: base + $0 * 1_000 * width, byteCount: 1_000 * width, channelCount: 1)
              }
            var isSilence = false
            var counts = RealTimeProbeCounts()
            let status = buffers.withUnsafeBufferPointer {
              real_time_probe_start()
              defer { counts = real_time_probe_stop() }
              return sliceGuard.render(
                $0, encoding: encoding, frameCount: 1_000, outputIsSilence: &isSilence
              ) { slice in
                for channel in 0..<2 {
                  for frame in 0..<slice.frameCount { slice.channels[channel][frame] *= -2 }
                }
                return .success
              }
            }
            XCTAssertEqual(status, .success)
            XCTAssertFalse(isSilence)
            XCTAssertEqual(counts.allocations + counts.deallocations + counts.objects, 0)
            XCTAssertEqual(counts.locks + counts.retains + counts.releases + counts.accesses, 0)
            let output = AudioBlock(channelCount: 2, capacity: 1_000)
            output.frameCount = 1_000
            let decoder = SampleDecoder(
              encoding: encoding, channelCount: isInterleaved ? 2 : 1)
            for channel in 0..<(isInterleaved ? 1 : 2) {
              let part = UnsafeRawBufferPointer(rebasing: memory[(channel * 1_000 * width)...])
              decoder.decode(
                part, frameCount: 1_000, into: output.channels + channel, from: 0)
            }
            XCTAssertEqual(
              output.samples, input.map { $0.map { -2 * $0 } }, "\(encoding) \(isInterleaved)")
          }
        }
      }
    }
  }

  func test_hostBuffers_withWrongChannelCountOrTooFewBytes_areSilencedAndReturnAnError() {
    let sliceGuard = makeGuard(channelCount: 2)
    for (channels, frameCount, encoding) in [
      (1, 10, SampleEncoding.int16), (2, 101, .int16), (3, 10, .int16), (2, 201, .uint8),
    ] {
      var memory = [UInt8](repeating: 7, count: 400)
      memory.withUnsafeMutableBytes { memory in
        guard let base = memory.baseAddress else { return XCTFail("no memory") }
        var isSilence = false
        let buffers = [HostBuffer(data: base, byteCount: 400, channelCount: channels)]
        let status = buffers.withUnsafeBufferPointer {
          sliceGuard.render(
            $0, encoding: encoding, frameCount: frameCount, outputIsSilence: &isSilence
          ) { _ in
            XCTFail("nothing can be rendered")
            return .success
          }
        }
        XCTAssertEqual(status, .unsuitableBuffers)
        XCTAssertTrue(isSilence)
      }
      XCTAssertEqual(memory, [UInt8](repeating: encoding == .uint8 ? 128 : 0, count: 400))
    }
  }
}
