import HearingDSP
import HearingVoice
import RealTimeProbe
import SignalTestSupport
import TestSupport
import XCTest

final class VoiceProcessorRenderContractTests: XCTestCase {
  override func setUpWithError() throws {
    try XCTSkipUnless(
      real_time_probe_works(), "calls are counted on Linux without a sanitizer only")
    try XCTSkipIf(
      Signals.isDebugBuild,
      "an unoptimised build counts references where a release build does not")
  }

  @inline(never)
  private func countedCalls(
    of processor: VoiceProcessor, _ rows: UnsafeMutablePointer<UnsafeMutablePointer<Float>>,
    frameCount: Int, block: Int
  ) -> RealTimeProbeCounts {
    real_time_probe_start()
    var done = 0
    while done < frameCount {
      let count = min(block, frameCount - done)
      processor.process(
        microphone: rows[0], farVoice: rows + 1, otherAudio: rows + 2, uplink: rows[4],
        playback: rows + 5, frameCount: count)
      for row in 0..<7 { rows[row] += count }
      done += count
    }
    let counts = real_time_probe_stop()
    for row in 0..<7 { rows[row] -= frameCount }
    return counts
  }

  func test_process_doesNotAllocateLockOrCountReferences() throws {
    for rate in [8_000, 16_000, 44_100, 48_000] as [Double] {
      let listener = try BandGainProcessor(
        spec: ProcessingSpec(sampleRate: rate, channelCount: 2),
        layout: XCTUnwrap(BandLayout.audiometric.limited(to: rate)))
      let curve = try Curves.compressing(ratio: 3, gainAt65: 20)
      try listener.apply(
        ProcessorSettings(curves: (0..<2).map { _ in listener.layout.centers.map { _ in curve } }))
      let stage = UplinkStage { _, samples, count in
        for index in 0..<count { samples[index] *= 0.5 }
      }
      let processor = try VoiceProcessor(
        sampleRate: rate, farProcessor: listener, uplinkStages: [stage])
      // The two sides talk one after another, because simultaneous near-end talk could be mistaken
      // for echo.
      let pause = Signals.silence(2 * Int(rate))
      let far = pause + SyntheticVoice.speech(seconds: 2, rate: rate)
      let near = SyntheticVoice.speech(seconds: 1.6, rate: rate, seed: 6, pitch: 190) + pause
      let microphone = near + Signals.silence(far.count - near.count)
      var rows = (0..<7).map { _ in UnsafeMutablePointer<Float>.allocate(capacity: far.count) }
      let memory = rows
      defer { memory.forEach { $0.deallocate() } }
      for row in memory { row.initialize(from: far, count: far.count) }
      memory[0].update(from: microphone, count: far.count)
      try rows.withUnsafeMutableBufferPointer { buffer in
        let base = try XCTUnwrap(buffer.baseAddress)
        let modes: [MicrophoneMode] = [
          .linear, .standard, .voiceIsolation, .bypass, .wideSpectrum,
        ]
        // In the rounds, the microphone is muted or unmuted, and voice detection is on or off.
        // Every kind of ducking is used, with small and large blocks.
        for round in 0..<12 {
          processor.isMuted = round % 3 == 1
          processor.isVoiceActivityDetectionEnabled = round % 4 != 3
          processor.microphoneMode = modes[round % 5]
          processor.otherAudioDucking = OtherAudioDuckingConfiguration(
            enableAdvancedDucking: round % 2 == 0,
            duckingLevel: OtherAudioDuckingConfiguration.Level.allCases[round % 4])
          memory[0][round] = .nan
          let counts = countedCalls(
            of: processor, base, frameCount: far.count, block: [1, 63, 480, 8_192][round % 4])
          XCTAssertEqual(counts.total, 0, "round \(round) at \(rate): \(counts)")
        }
        real_time_probe_start()
        processor.reset()
        XCTAssertEqual(real_time_probe_stop().total, 0)
      }
      let kinds = Set(processor.events.drain().map(\.kind))
      XCTAssertEqual(kinds, [.ducking, .farVoice, .nearVoice, .mutedTalker], "at \(rate)")
    }
  }
}
