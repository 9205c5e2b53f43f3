import Foundation
import HearingBuffers
import HearingDSP
import SignalTestSupport
import Synchronization
import TestSupport
import XCTest

@testable import HearingVoice

/// Tests audio hosts that render playback on one thread and capture the microphone on another.
final class HostThreadsTests: XCTestCase {
  private let rate = 16_000.0

  /// A host with two threads, which are simulated on the thread of the test. The calls of both
  /// threads are made in the order of their times.
  private struct Host {
    var renderBlock = 512
    var captureBlock = 160
    /// The relative speed difference of the render clock. It is positive if the render clock is
    /// faster.
    var drift = 0.0
    /// The maximum delay of each call of both threads, in seconds.
    var lateness = 0.0

    /// Renders the far voice `far` and captures `microphone`, block by block.
    func run(
      _ processor: VoiceProcessor, far: [Float], microphone: [Float]
    ) -> (playback: [Float], uplink: [Float]) {
      let rate = processor.sampleRate
      var generator = SeededGenerator(seed: 111)
      var (far, microphone) = (far, microphone)
      var other = Signals.silence(renderBlock)
      var (left, right) = (Signals.silence(far.count), Signals.silence(far.count))
      var uplink = Signals.silence(microphone.count)
      var (rendered, captured) = (0, 0)
      func time(_ samples: Int, _ speed: Double, _ generator: inout SeededGenerator) -> Double {
        Double(samples) / (rate * speed)
          + (lateness > 0 ? Double.random(in: 0...lateness, using: &generator) : 0)
      }
      var renderTime = time(0, 1 + drift, &generator)
      var captureTime = time(captureBlock, 1, &generator)
      let pointers = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: 5)
      defer { pointers.deallocate() }
      far.withUnsafeMutableBufferPointer { far in
        microphone.withUnsafeMutableBufferPointer { microphone in
          other.withUnsafeMutableBufferPointer { other in
            left.withUnsafeMutableBufferPointer { left in
              right.withUnsafeMutableBufferPointer { right in
                uplink.withUnsafeMutableBufferPointer { uplink in
                  while captured + captureBlock <= microphone.count {
                    if renderTime < captureTime, rendered + renderBlock <= far.count {
                      guard let f = far.baseAddress, let o = other.baseAddress,
                        let l = left.baseAddress, let r = right.baseAddress
                      else { return }
                      pointers[0] = f + rendered
                      pointers[1] = o
                      pointers[2] = o
                      pointers[3] = l + rendered
                      pointers[4] = r + rendered
                      processor.render(
                        farVoice: pointers, otherAudio: pointers + 1, playback: pointers + 3,
                        frameCount: renderBlock)
                      rendered += renderBlock
                      renderTime = max(renderTime, time(rendered, 1 + drift, &generator))
                    } else {
                      guard let m = microphone.baseAddress, let u = uplink.baseAddress else {
                        return
                      }
                      processor.capture(
                        microphone: m + captured, uplink: u + captured, frameCount: captureBlock)
                      captured += captureBlock
                      captureTime = max(
                        captureTime, time(captured + captureBlock, 1, &generator))
                    }
                  }
                }
              }
            }
          }
        }
      }
      return (left, uplink)
    }
  }

  /// The echo of `far` after `delay` seconds, plus soft noise. The microphone clock is slower by
  /// the fraction `drift`.
  private func echo(of far: [Float], delay: Double, drift: Double = 0) -> [Float] {
    var generator = SeededGenerator(seed: 112)
    let noise = Signals.noise(count: far.count, amplitude: 2e-5, using: &generator)
    return far.indices.map { index in
      let position = Double(index) * (1 + drift) - delay * rate
      let whole = Int(position.rounded(.down))
      guard whole >= 0, whole + 1 < far.count else { return noise[index] }
      let part = Float(position - Double(whole))
      return 0.5 * (far[whole] + part * (far[whole + 1] - far[whole])) + noise[index]
    }
  }

  private func echoMode() -> MicrophoneMode {
    MicrophoneMode(cancelsEcho: true, suppressesResidualEcho: true)
  }

  func test_render_andProcess_playIdenticalSamples() throws {
    var generator = SeededGenerator(seed: 113)
    let far = Signals.noise(count: 8_192, amplitude: 0.1, using: &generator)
    let expected = TestCall(frames: far.count, farVoice: far)
      .rendered(by: try VoiceProcessor(sampleRate: rate)).playback[0]
    let result = Host().run(
      try VoiceProcessor(sampleRate: rate), far: far, microphone: Signals.silence(far.count))
    XCTAssertEqual(Signals.bits(result.playback), Signals.bits(expected))
  }

  func test_renderAndCapture_withDifferentBlockSizesAndJitter_removeTheEcho() throws {
    try XCTSkipIf(Signals.isSanitized, "seconds of sound take too long with a sanitizer")
    let far = SyntheticVoice.speech(seconds: 16, rate: rate, seed: 41)
    let microphone = echo(of: far, delay: 0.16)
    for (render, capture, lateness, minimum) in [
      (512, 160, 0.0, 30.0), (160, 1_000, 0.02, 28), (441, 333, 0.1, 15),
    ] {
      let processor = try VoiceProcessor(sampleRate: rate)
      processor.microphoneMode = echoMode()
      processor.isVoiceActivityDetectionEnabled = true
      let host = Host(renderBlock: render, captureBlock: capture, lateness: lateness)
      let uplink = host.run(processor, far: far, microphone: microphone).uplink
      let removed =
        Signals.rmsLevel(microphone[128_000...]) - Signals.rmsLevel(uplink[128_000..<250_000])
      print("\(render), \(capture), \(lateness) s: \(removed) dB", processor.echoReport)
      XCTAssertGreaterThan(removed, minimum, "\(render), \(capture), \(lateness)")
      let starts = processor.events.drain().filter {
        $0.kind == .nearVoice && $0.voiceChange == .started && $0.frame > 64_000
      }
      XCTAssertEqual(starts.count, 0)
    }
  }

  func test_renderAndCapture_withDriftingClocks_removeTheEchoAndReportTheDrift() throws {
    try XCTSkipIf(Signals.isSanitized, "seconds of sound take too long with a sanitizer")
    for drift in [3e-4, -3e-4] {
      let far = SyntheticVoice.speech(seconds: 60, rate: rate, seed: 42)
      let microphone = echo(of: far, delay: 0.1, drift: drift)
      let processor = try VoiceProcessor(sampleRate: rate)
      processor.microphoneMode = echoMode()
      let host = Host(drift: drift, lateness: 0.01)
      let uplink = host.run(
        processor, far: far, microphone: Array(microphone.prefix(far.count - 1_000))
      ).uplink
      let span = 640_000..<900_000
      let removed = Signals.rmsLevel(microphone[span]) - Signals.rmsLevel(uplink[span])
      let report = processor.echoReport
      print("\(drift * 1e6) ppm: \(removed) dB", report)
      XCTAssertEqual(try XCTUnwrap(report.drift), drift * 1e6, accuracy: 30)
      XCTAssertGreaterThan(removed, 30)
      // The reader must follow the clock drift. Otherwise, with a fast writer, the delay would
      // increase by 18 ms per minute. With a slow writer, the reader would have to wait repeatedly.
      XCTAssertLessThan(try XCTUnwrap(report.lag), 0.04)
      XCTAssertLessThan(report.underruns, 20)
    }
  }

  /// Renders 4 s of a call with echo. The frame number of the first rendered sample is `start`.
  private func run(from start: Int64) throws -> (
    playback: [Float], uplink: [Float], report: EchoReport
  ) {
    let far = SyntheticVoice.speech(seconds: 4, rate: rate, seed: 43)
    let processor = try VoiceProcessor(sampleRate: rate)
    processor.microphoneMode = echoMode()
    processor.link[0].reset(position: start)
    let result = Host(lateness: 0.01).run(
      processor, far: far, microphone: echo(of: far, delay: 0.1))
    XCTAssertGreaterThan(processor.link[0].written.load(ordering: .relaxed), start + 60_000)
    return (result.playback, result.uplink, processor.echoReport)
  }

  /// A stream that starts at frame 2³¹ − 1000 exceeds the range of a 32-bit integer after 60 ms.
  /// The reference stream starts at the same offset in the ring.
  func test_renderAndCapture_atPositionsBeyond32BitIntegers_removeTheSameEcho() throws {
    try XCTSkipIf(Signals.isSanitized, "seconds of sound take too long with a sanitizer")
    let reference = try run(from: 1 << 20 - 1_000)
    let late = try run(from: 1 << 31 - 1_000)
    XCTAssertEqual(Signals.bits(late.playback), Signals.bits(reference.playback))
    let difference = zip(late.uplink, reference.uplink).map { abs($0 - $1) }.max() ?? 1
    print("largest difference \(difference)", late.report)
    XCTAssertLessThan(difference, 1e-4)
    XCTAssertEqual(late.report.underruns, reference.report.underruns)
    XCTAssertEqual(late.report.overruns, 0)
    XCTAssertEqual(
      try XCTUnwrap(late.report.lag), try XCTUnwrap(reference.report.lag), accuracy: 0.001)
  }

  func test_capture_withoutRendering_returnsTheMicrophoneUnchanged() throws {
    var generator = SeededGenerator(seed: 114)
    let microphone = Signals.noise(count: 3_200, amplitude: 0.1, using: &generator)
    let result = Host().run(
      try VoiceProcessor(sampleRate: rate), far: [], microphone: microphone)
    XCTAssertEqual(result.uplink, microphone)
  }

  func test_render_withoutCapture_dropsReferenceSamples_andTheEchoIsRemovedAgainAfterwards()
    throws
  {
    try XCTSkipIf(Signals.isSanitized, "long signals take too long with a sanitizer")
    let processor = try VoiceProcessor(sampleRate: rate)
    processor.microphoneMode = echoMode()
    let before = SyntheticVoice.speech(seconds: 4, rate: rate, seed: 44)
    _ = Host().run(processor, far: before, microphone: echo(of: before, delay: 0.1))
    var late = Host()
    late.captureBlock = before.count
    _ = late.run(processor, far: before, microphone: Signals.silence(before.count))
    XCTAssertGreaterThan(processor.echoReport.overruns, 0)
    let far = SyntheticVoice.speech(seconds: 12, rate: rate, seed: 45)
    let microphone = echo(of: far, delay: 0.1)
    let uplink = Host().run(processor, far: far, microphone: microphone).uplink
    XCTAssertTrue(uplink.allSatisfy(\.isFinite))
    let span = 128_000..<190_000
    let removed = Signals.rmsLevel(microphone[span]) - Signals.rmsLevel(uplink[span])
    print("\(removed) dB", processor.echoReport)
    XCTAssertGreaterThan(removed, 30)
  }

  func test_renderAndCapture_onTwoThreads_produceFiniteSamplesInEachBlock() throws {
    let processor = try VoiceProcessor(sampleRate: 8_000)
    processor.isVoiceActivityDetectionEnabled = true
    let isFinished = Flag()
    let wrongPlayback = Recorder<Int>()
    let render = Thread {
      let memory = UnsafeMutablePointer<Float>.allocate(capacity: 4 * 128)
      memory.initialize(repeating: 0.01, count: 4 * 128)
      let rows = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: 5)
      // The rows are the far voice, the same other audio for left and right, and two channels of
      // playback.
      for (row, part) in [0, 1, 1, 2, 3].enumerated() {
        (rows + row).initialize(to: memory + part * 128)
      }
      var block = 0
      while !isFinished.isSet {
        isFinished.isRunning = true
        (memory + 2 * 128).update(repeating: .nan, count: 2 * 128)
        processor.render(
          farVoice: rows, otherAudio: rows + 1, playback: rows + 3, frameCount: 128)
        // Playback is the sum of the far voice and the other audio. The other audio is lowered by
        // at most 20 dB.
        let playback = UnsafeBufferPointer(start: memory + 2 * 128, count: 2 * 128)
        if !playback.allSatisfy({ $0 > 0.01 && $0 < 0.02 }) { wrongPlayback.record(block) }
        block += 1
      }
      memory.deallocate()
      rows.deallocate()
      isFinished.isDone = true
    }
    render.start()
    while !isFinished.isRunning { sched_yield() }
    var wrongUplinks = 0
    for _ in 0..<(Signals.isSanitized ? 300 : 3_000) {
      var samples = [Float](repeating: 0.01, count: 80)
      samples.withUnsafeMutableBufferPointer { buffer in
        guard let base = buffer.baseAddress else { return }
        processor.capture(microphone: base, uplink: base, frameCount: 80)
      }
      if !samples.allSatisfy({ abs($0) < 0.1 }) { wrongUplinks += 1 }
      XCTAssertGreaterThanOrEqual(processor.echoReport.overruns, 0)
    }
    isFinished.isSet = true
    while !isFinished.isDone { sched_yield() }
    XCTAssertEqual(wrongUplinks, 0)
    XCTAssertEqual(wrongPlayback.events.count, 0)
  }
}
