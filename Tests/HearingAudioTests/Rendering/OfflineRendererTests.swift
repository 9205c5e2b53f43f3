import Foundation
import SignalTestSupport
import TestSupport
import XCTest

@testable import HearingAudio

final class OfflineRendererTests: XCTestCase {
  private struct Failure: Error {}

  private func source(_ frames: Int, channels: Int = 2) -> MemoryFrameSource {
    MemoryFrameSource(
      (0..<channels).map { Signals.noise(count: frames, amplitude: 1, seed: UInt64($0 + 1)) },
      sampleRate: 48_000)
  }

  /// A filter that keeps a state from block to block. If a block is lost, repeated or in the wrong
  /// order, the output changes.
  private final class Filter {
    var states: [Float] = [0, 0]
    var blockSizes: [Int] = []

    func process(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ frameCount: Int) {
      blockSizes.append(frameCount)
      for channel in 0..<2 {
        for frame in 0..<frameCount {
          states[channel] = 0.9 * states[channel] + channels[channel][frame]
          channels[channel][frame] = states[channel]
        }
      }
    }
  }

  func test_render_allBlocksButTheLastHaveTheSameSize() throws {
    for (size, frames) in [(512, 10_000), (7, 10_000), (65_536, 10_000), (5000, 10_000)] {
      let filter = Filter()
      try OfflineRenderer(blockSize: size).render(
        from: source(frames), to: MemoryFrameSink(channelCount: 2), process: filter.process)
      XCTAssertEqual(filter.blockSizes.reduce(0, +), frames)
      XCTAssertTrue(filter.blockSizes.dropLast().allSatisfy { $0 == size })
      XCTAssertEqual(filter.blockSizes.count, (frames + size - 1) / size)
    }
  }

  func test_render_anyBlockSize_givesTheSameSamples() throws {
    let filter = Filter()
    let whole = source(10_001)
    let reference = MemoryFrameSink(channelCount: 2)
    let block = AudioBlock(channelCount: 2, capacity: 10_001)
    whole.read(into: block)
    filter.process(block.channels, 10_001)
    reference.write(block)
    for size in [1, 2, 63, 64, 512, 4096, 4097, 65_536] {
      let sink = MemoryFrameSink(channelCount: 2)
      try OfflineRenderer(blockSize: size).render(
        from: source(10_001), to: sink, process: Filter().process)
      XCTAssertTrue(sink.samples == reference.samples, "blocks of \(size)")
      XCTAssertTrue(sink.isFinished)
    }
  }

  func test_channelMap_withInput0Twice_copiesAMonoSourceToBothChannels() throws {
    let sink = MemoryFrameSink(channelCount: 2)
    let source = source(1000, channels: 1)
    try OfflineRenderer().render(from: source, to: sink, channelMap: [0, 0]) {
      channels, frameCount in
      for frame in 0..<frameCount { channels[1][frame] *= -1 }
    }
    let mono = Signals.noise(count: 1000, amplitude: 1, seed: 1)
    XCTAssertEqual(sink.samples, [mono, mono.map { -$0 }])
  }

  /// Channel maps that are invalid for a source with one channel and a sink with two channels. Each
  /// map has its expected error.
  private let unsuitableMaps: [(map: [Int]?, error: RenderingError)] = [
    ([0, 1], .missingInput(channel: 1, channelCount: 1)),
    ([0, -1], .missingInput(channel: -1, channelCount: 1)),
    (nil, .channelCountMismatch(rendered: 1, sink: 2)),
    ([0, 0, 0], .channelCountMismatch(rendered: 3, sink: 2)),
  ]

  func test_render_channelMapOrSourceThatDoesNotFitTheSink_throws_andAbandonsTheSink() throws {
    for (map, error) in unsuitableMaps {
      let sink = MemoryFrameSink(channelCount: 2)
      // The renderer fails below and calls `abandon()` of the sink. The sink then also discards
      // these frames.
      sink.write([[1], [2]])
      let source = source(10, channels: 1)
      XCTAssertThrowsError(
        try OfflineRenderer().render(
          from: source, to: sink, channelMap: map,
          progress: { _ in XCTFail("there is no progress") }
        ) { _, _ in XCTFail("there is nothing to process") }
      ) { XCTAssertEqual($0 as? RenderingError, error) }
      XCTAssertEqual(sink.samples, [[], []], "\(error)")
      XCTAssertFalse(sink.isFinished, "\(error)")
      XCTAssertEqual(source.position, 0, "no frame is read: \(error)")
    }
  }

  func test_render_channelMapThatDoesNotFitTheSink_leavesTheOldFileUntouched() throws {
    for (map, _) in unsuitableMaps {
      try assertLeavesOldFile { writer in
        XCTAssertThrowsError(
          try OfflineRenderer().render(
            from: source(10, channels: 1), to: writer, channelMap: map
          ) { _, _ in })
      }
    }
  }

  /// The processor delays its input, and the renderer removes this delay from the output. The delay
  /// may be longer than the blocks that the renderer reads.
  func test_render_processorWithLatency_removesTheLatency_andKeepsTheEndOfTheSound() throws {
    for latency in [1, 511, 4_096, 10_000] {
      for frames in [0, 100, 8_192, 10_001] {
        var waiting = [[Float]](repeating: [Float](repeating: 0, count: latency), count: 2)
        let sink = MemoryFrameSink(channelCount: 2)
        let last = try OfflineRenderer().render(
          from: source(frames), to: sink, latency: latency
        ) { channels, frameCount in
          for channel in 0..<2 {
            waiting[channel] += UnsafeBufferPointer(start: channels[channel], count: frameCount)
            channels[channel].update(from: waiting[channel], count: frameCount)
            waiting[channel].removeFirst(frameCount)
          }
        }
        let expected = (1...2).map {
          Signals.noise(count: frames, amplitude: 1, seed: UInt64($0))
        }
        XCTAssertTrue(sink.samples == expected, "\(frames) frames, latency \(latency)")
        XCTAssertEqual(last.frameCount, frames + latency)
      }
    }
  }

  func test_progress_isReportedAtMost20TimesASecond_andOnceAtTheEnd() throws {
    let clock = ManualClock(step: 0.003)
    var reports: [RenderProgress] = []
    let sink = MemoryFrameSink(channelCount: 2)
    let last = try OfflineRenderer(clock: clock.now).render(
      from: source(1_000_000), to: sink,
      progress: {
        if $0.isFinished { XCTAssertTrue(sink.isFinished) }
        reports.append($0)
      }, process: { _, _ in })
    XCTAssertGreaterThan(reports.count, 5)
    for (earlier, later) in zip(reports.dropLast(), reports.dropFirst().dropLast()) {
      XCTAssertGreaterThanOrEqual(later.elapsedSeconds - earlier.elapsedSeconds, 0.0499)
      XCTAssertGreaterThan(later.frameCount, earlier.frameCount)
    }
    XCTAssertTrue(reports.dropLast().allSatisfy { !$0.isFinished && ($0.fraction ?? 2) < 1 })
    XCTAssertEqual(reports.last, last)
    XCTAssertEqual(last.frameCount, 1_000_000)
    XCTAssertEqual(last.fraction, 1)
    XCTAssertEqual(last.secondsLeft, 0)
  }

  func test_progress_noFrames_isReportedOnceAsFinished() throws {
    var reports: [RenderProgress] = []
    try OfflineRenderer().render(
      from: source(0), to: MemoryFrameSink(channelCount: 2), progress: { reports.append($0) },
      process: { _, _ in XCTFail("nothing to process") })
    XCTAssertEqual(reports.map(\.isFinished), [true])
    XCTAssertEqual(reports.map(\.fraction), [1])
  }

  private func assertLeavesOldFile(
    _ render: (WAVWriter) throws -> Void, file: StaticString = #filePath, line: UInt = #line
  ) throws {
    let folder = try ScratchFolder()
    try folder.write([1, 2, 3], to: "out.wav")
    let writer = try WAVWriter(
      path: folder.path("out.wav"),
      format: WAVFormat(sampleRate: 48_000, channelCount: 2, encoding: .float32))
    try render(writer)
    XCTAssertEqual(try folder.names(), ["out.wav"], file: file, line: line)
    XCTAssertEqual(try Array(folder.data("out.wav")), [1, 2, 3], file: file, line: line)
    // When a writer is released, it also removes its unfinished file. Here the writer is still
    // alive. Therefore only the renderer can have removed the file.
    withExtendedLifetime(writer) {}
  }

  func test_render_isCancelledReturnsTrue_throws_andLeavesTheOldFileUntouched() throws {
    try assertLeavesOldFile { writer in
      var calls = 0
      XCTAssertThrowsError(
        try OfflineRenderer().render(
          from: source(100_000), to: writer,
          progress: { XCTAssertFalse($0.isFinished) },
          isCancelled: {
            calls += 1
            return calls > 10
          }, process: { _, _ in })
      ) {
        XCTAssertEqual(
          $0 as? RenderingError, .cancelled(frameCount: 40_960))
      }
    }
  }

  func test_render_processThrows_rethrowsTheError_andLeavesTheOldFileUntouched() throws {
    try assertLeavesOldFile { writer in
      var calls = 0
      XCTAssertThrowsError(
        try OfflineRenderer().render(from: source(100_000), to: writer) { _, _ in
          calls += 1
          if calls == 50 { throw Failure() }
        }
      ) { XCTAssertTrue($0 is Failure) }
    }
  }

  func test_render_inACancelledTask_throwsCancelled() async throws {
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      let sink = MemoryFrameSink(channelCount: 2)
      try OfflineRenderer().render(
        from: MemoryFrameSource([[0], [0]], sampleRate: 8000), to: sink, process: { _, _ in })
    }
    do {
      try await task.value
      XCTFail("was not cancelled")
    } catch {
      XCTAssertEqual(error as? RenderingError, .cancelled(frameCount: 0))
    }
  }

  func test_render_emptyFile_writesAValidEmptyFile() throws {
    let folder = try ScratchFolder()
    let format = WAVFormat(sampleRate: 48_000, channelCount: 2, encoding: .int16)
    try folder.write(WAVWriter.bytes(of: [[], []], format: format), to: "in.wav")
    let last = try OfflineRenderer().render(
      from: WAVReader(path: folder.path("in.wav")),
      to: WAVWriter(path: folder.path("out.wav"), format: format), process: { _, _ in })
    XCTAssertEqual(last.frameCount, 0)
    XCTAssertEqual(try Array(folder.data("out.wav")), try Array(folder.data("in.wav")))
  }

  func test_render_sameFileForInputAndOutput_replacesTheFileWithTheResult() throws {
    let folder = try ScratchFolder()
    let format = WAVFormat(sampleRate: 48_000, channelCount: 1, encoding: .float32)
    let samples = Signals.noise(count: 50_000, amplitude: 1, seed: 9)
    let path = try folder.write(WAVWriter.bytes(of: [samples], format: format), to: "a.wav")
    try OfflineRenderer().render(
      from: WAVReader(path: path), to: WAVWriter(path: path, format: format)
    ) { channels, frameCount in
      for frame in 0..<frameCount { channels[0][frame] *= 2 }
    }
    XCTAssertEqual(try WAVReader(path: path).readSamples(), [samples.map { $0 * 2 }])
  }

  func test_render_1024Channels_usesShorterBlocks() throws {
    var longest = 0
    let samples = [[Float]](repeating: [Float](repeating: 0.5, count: 5000), count: 1024)
    let sink = MemoryFrameSink(channelCount: 1024)
    try OfflineRenderer(blockSize: 65_536).render(
      from: MemoryFrameSource(samples, sampleRate: 48_000), to: sink
    ) { longest = max(longest, $1) }
    XCTAssertEqual(longest, 2048)
    XCTAssertTrue(sink.samples == samples)
  }
}
