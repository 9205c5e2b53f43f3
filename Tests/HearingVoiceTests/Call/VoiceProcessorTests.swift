import HearingDSP
import HearingVoice
import SignalTestSupport
import TestSupport
import XCTest

/// Tests the signal routing of a call.
final class VoiceProcessorTests: XCTestCase {
  private let rate = 16_000.0
  private static let rates: [Double] =
    Signals.isSanitized ? [8_000] : [8_000, 16_000, 44_100, 48_000]

  func test_init_byDefault_isNotMuted_withPlainDucking_withoutVoiceDetection() throws {
    let processor = try VoiceProcessor(sampleRate: 16_000)
    XCTAssertFalse(processor.isMuted)
    XCTAssertEqual(processor.otherAudioDucking, OtherAudioDuckingConfiguration())
    XCTAssertFalse(processor.isVoiceActivityDetectionEnabled)
    XCTAssertFalse(processor.isTalkingWhileMuted)
    XCTAssertFalse(processor.isVoiceActive(.near))
    XCTAssertFalse(processor.isVoiceActive(.far))
    XCTAssertEqual(processor.duckingGain, 0)
  }

  func test_playback_isTheFarVoicePlusOtherAudioLoweredBy10Decibels() throws {
    for rate in Self.rates {
      let processor = try VoiceProcessor(sampleRate: rate)
      var call = TestCall(frames: 3_000, farVoice: Signals.noise(count: 3_000, seed: 1))
      call.otherAudio = [
        Signals.noise(count: 3_000, seed: 2), Signals.noise(count: 3_000, seed: 3),
      ]
      let result = call.rendered(by: processor)
      let ratio = Float(pow(10, -0.5))
      for channel in 0..<2 {
        for frame in 0..<3_000 {
          XCTAssertEqual(
            result.playback[channel][frame],
            call.farVoice[0][frame] + ratio * call.otherAudio[channel][frame], accuracy: 1e-6)
        }
      }
      XCTAssertEqual(processor.duckingGain, -10, accuracy: 1e-4)
    }
  }

  func test_playback_ofAStereoFarVoice_equalsItsChannels() throws {
    let processor = try VoiceProcessor(sampleRate: rate, farChannelCount: 2)
    var call = TestCall(frames: 2_000)
    call.farVoice = [Signals.noise(count: 2_000, seed: 4), Signals.noise(count: 2_000, seed: 5)]
    let result = call.rendered(by: processor, blocks: [77])
    XCTAssertEqual(result.playback, call.farVoice)
  }

  func test_playback_loudSum_staysBelowTheListenersOutputCeiling_atAnyBlockSize() throws {
    let listener = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: 48_000, channelCount: 2))
    let gains = (0..<2).map { _ in listener.layout.centers.map { _ in 6.0 } }
    let settings = ProcessorSettings(gains: gains, outputCeiling: 85)
    try listener.apply(settings)
    let ceiling = Float(settings.calibration.peakAmplitude(ofSineAt: 85))
    var outputs: [[Signals.Bits]] = []
    for blocks in [[480], [1_000, 7, 333]] {
      listener.reset()
      let processor = try VoiceProcessor(sampleRate: 48_000, farProcessor: listener)
      processor.otherAudioDucking.duckingLevel = .min
      let call = TestCall(
        frames: 9_600, farVoice: Signals.noise(count: 9_600, amplitude: 0.2, seed: 18),
        otherAudio: Signals.noise(count: 9_600, amplitude: 0.9, seed: 19))
      let playback = call.rendered(by: processor, blocks: blocks).playback
      XCTAssertLessThanOrEqual(Signals.peak(playback.joined()), ceiling)
      XCTAssertGreaterThan(Signals.peak(playback.joined()), 0.9 * ceiling)
      outputs.append(playback.map(Signals.bits))
    }
    XCTAssertEqual(outputs[0], outputs[1])
  }

  func test_playback_loudSum_withoutAFarProcessor_staysWithinFullScale() throws {
    let processor = try VoiceProcessor(sampleRate: rate)
    processor.otherAudioDucking.duckingLevel = .min
    let call = TestCall(
      frames: 4_000, farVoice: Signals.noise(count: 4_000, amplitude: 0.9, seed: 18),
      otherAudio: Signals.noise(count: 4_000, amplitude: 0.9, seed: 19))
    let playback = call.rendered(by: processor).playback
    XCTAssertLessThanOrEqual(Signals.peak(playback.joined()), 1)
    XCTAssertGreaterThan(Signals.peak(playback.joined()), 0.95)
  }

  func test_playback_withAFarProcessor_isTheProcessedVoicePlusOtherAudio() throws {
    func listener() throws -> BandGainProcessor {
      let processor = try BandGainProcessor(
        spec: ProcessingSpec(sampleRate: 48_000, channelCount: 2))
      let gains = (0..<2).map { (ear: Int) -> [Double] in
        (0..<10).map { (band: Int) -> Double in Double(2 * band + 3 * ear) }
      }
      // The ceiling is very high. Therefore the limiter does not change the sum of the signals.
      try processor.apply(
        ProcessorSettings(gains: gains, outputCeiling: 120, allowsOutputAboveFullScale: true))
      return processor
    }
    var call = TestCall(frames: 4_000, farVoice: Signals.noise(count: 4_000, seed: 6))
    call.otherAudio = [Signals.noise(count: 4_000, seed: 7), Signals.noise(count: 4_000, seed: 8)]
    let processor = try VoiceProcessor(sampleRate: 48_000, farProcessor: listener())
    let result = call.rendered(by: processor, blocks: [64, 1_000])
    let voice = try listener().rendered([call.farVoice[0], call.farVoice[0]])
    let ratio = Float(pow(10, -0.5))
    for channel in 0..<2 {
      for frame in 0..<4_000 {
        XCTAssertEqual(
          result.playback[channel][frame],
          voice[channel][frame] + ratio * call.otherAudio[channel][frame], accuracy: 1e-6)
      }
    }
    XCTAssertNotEqual(voice[0], voice[1])
  }

  func test_uplink_whileNothingPlays_equalsTheMicrophone() throws {
    for rate in Self.rates {
      let processor = try VoiceProcessor(sampleRate: rate)
      let call = TestCall(frames: 4_000, microphone: Signals.noise(count: 4_000, seed: 9))
      let uplink = call.rendered(by: processor, blocks: [160, 33]).uplink
      for frame in 0..<4_000 {
        XCTAssertEqual(uplink[frame], call.microphone[frame], accuracy: 1e-5)
      }
    }
  }

  func test_process_inPlace_givesTheSameOutput() throws {
    let count = 1_000
    var call = TestCall(
      frames: count, microphone: Signals.noise(count: count, seed: 10),
      farVoice: Signals.noise(count: count, seed: 11))
    call.otherAudio = [
      Signals.noise(count: count, seed: 12), Signals.noise(count: count, seed: 13),
    ]
    let apart = call.rendered(by: try VoiceProcessor(sampleRate: rate), blocks: [count])
    let processor = try VoiceProcessor(sampleRate: rate)
    var far = call.farVoice[0]
    var (microphone, left, right) = (call.microphone, call.otherAudio[0], call.otherAudio[1])
    microphone.withUnsafeMutableBufferPointer { microphone in
      far.withUnsafeMutableBufferPointer { far in
        left.withUnsafeMutableBufferPointer { left in
          right.withUnsafeMutableBufferPointer { right in
            guard let microphone = microphone.baseAddress, let far = far.baseAddress,
              let left = left.baseAddress, let right = right.baseAddress
            else { return }
            processor.process(
              microphone: microphone, farVoice: [far], otherAudio: [left, right],
              uplink: microphone, playback: [left, right], frameCount: count)
          }
        }
      }
    }
    XCTAssertEqual(Signals.bits(microphone), Signals.bits(apart.uplink))
    XCTAssertEqual([left, right].map(Signals.bits), apart.playback.map(Signals.bits))
  }

  func test_invalidSamples_inAnyInput_keepTheOutputBelowFullScale() throws {
    let count = 8_000
    for input in 0..<(Signals.isSanitized ? 1 : 4) {
      var call = TestCall(
        frames: count, microphone: Signals.noise(count: count, seed: 14),
        farVoice: Signals.noise(count: count, seed: 15),
        otherAudio: Signals.noise(count: count, seed: 16))
      let clean = call.rendered(by: try VoiceProcessor(sampleRate: rate))
      for (frame, sample) in zip([0, 100, 101, 3_000], [Float.nan, .infinity, -1e30, 17]) {
        switch input {
        case 0: call.microphone[frame] = sample
        case 1: call.farVoice[0][frame] = sample
        default: call.otherAudio[input - 2][frame] = sample
        }
      }
      let result = call.rendered(by: try VoiceProcessor(sampleRate: rate))
      XCTAssertTrue(result.uplink.allSatisfy { abs($0) < 1 }, "\(input)")
      XCTAssertTrue(result.playback.joined().allSatisfy { abs($0) < 1 }, "\(input)")
      if input == 2 { XCTAssertEqual(result.playback[1], clean.playback[1]) }
    }
  }

  func test_uplinkStages_processTheMicrophoneInOrder_evenWhileMuted() throws {
    // The first stage records the peak and doubles the samples. The second stage adds 1.
    let peak = UnsafeMutablePointer<Float>.allocate(capacity: 1)
    peak.initialize(to: 0)
    defer { peak.deallocate() }
    let stages = [
      UplinkStage(context: UnsafeMutableRawPointer(peak)) { context, samples, count in
        guard let context else { return }
        let peak = context.assumingMemoryBound(to: Float.self)
        for index in 0..<count {
          peak.pointee = max(peak.pointee, samples[index])
          samples[index] *= 2
        }
      },
      UplinkStage { _, samples, count in
        for index in 0..<count { samples[index] += 1 }
      },
    ]
    let processor = try VoiceProcessor(sampleRate: rate, uplinkStages: stages)
    var call = TestCall(frames: 3_000, microphone: Array(repeating: 0.25, count: 3_000))
    call.changes = [(2_000, { $0.isMuted = true })]
    let uplink = call.rendered(by: processor).uplink
    XCTAssertEqual(uplink[1_500], 1.5, accuracy: 1e-4)
    XCTAssertEqual(peak.pointee, 0.25, accuracy: 1e-4)
    XCTAssertEqual(uplink[2_500], 0)
    peak.pointee = 0
    _ = TestCall(frames: 500, microphone: Array(repeating: 0.5, count: 500))
      .rendered(by: processor)
    XCTAssertEqual(peak.pointee, 0.5, accuracy: 1e-3)
  }

  func test_process_zeroFrames_changesNothing() throws {
    let processor = try VoiceProcessor(sampleRate: rate)
    var sample: Float = 0.5
    withUnsafeMutablePointer(to: &sample) { pointer in
      processor.process(
        microphone: pointer, farVoice: [pointer], otherAudio: [pointer, pointer],
        uplink: pointer, playback: [pointer, pointer], frameCount: 0)
    }
    XCTAssertEqual(sample, 0.5)
    XCTAssertEqual(processor.events.drain(), [])
    // A call of `process` with zero frames is not counted. The next frame is still the first frame.
    let noise = Signals.noise(count: 2_000, seed: 20)
    let call = TestCall(frames: 2_000, microphone: noise, farVoice: noise, otherAudio: noise)
    let result = call.rendered(by: processor)
    let new = call.rendered(by: try VoiceProcessor(sampleRate: rate))
    XCTAssertEqual(result.events, new.events)
    XCTAssertEqual(Signals.bits(result.uplink), Signals.bits(new.uplink))
    XCTAssertEqual(result.playback.map(Signals.bits), new.playback.map(Signals.bits))
  }

  func test_reset_afterUse_rendersTheSameBitsAndEventsWithTheSameSettings() throws {
    let listener = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: 16_000, channelCount: 2),
      layout: XCTUnwrap(BandLayout.audiometric.limited(to: rate)))
    let gains = [9.0, 3].map { gain in listener.layout.centers.map { _ in gain } }
    try listener.apply(ProcessorSettings(gains: gains))
    let processor = try VoiceProcessor(sampleRate: rate, farProcessor: listener)
    processor.otherAudioDucking.duckingLevel = .max
    processor.isMuted = true
    processor.isVoiceActivityDetectionEnabled = true
    let voice = SyntheticVoice.speech(seconds: 1, rate: rate)
    let call = TestCall(
      frames: 20_000, microphone: voice, farVoice: Signals.noise(count: 20_000, seed: 17),
      otherAudio: voice)
    let first = call.rendered(by: processor)
    processor.reset()
    // The reset reports the end of talk that had been reported before.
    XCTAssertTrue(processor.events.drain().allSatisfy { $0.voiceChange == .ended })
    let second = call.rendered(by: processor)
    XCTAssertEqual(Signals.bits(second.uplink), Signals.bits(first.uplink))
    XCTAssertEqual(second.playback.map(Signals.bits), first.playback.map(Signals.bits))
    XCTAssertEqual(second.events, first.events)
    XCTAssertEqual(second.duckingGains, [-20])
  }

  func test_init_unsupportedValue_throwsWithTheValue() throws {
    let wrong = try BandGainProcessor(spec: ProcessingSpec(sampleRate: 48_000, channelCount: 2))
    let mono = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: 16_000, channelCount: 1),
      layout: XCTUnwrap(BandLayout.audiometric.limited(to: rate)))
    let expected = ProcessingSpec(sampleRate: 16_000, channelCount: 2)
    let cases: [(() throws -> VoiceProcessor, VoiceFailure)] = [
      (
        { try VoiceProcessor(sampleRate: 7_999) },
        .sampleRateOutOfRange(7_999, supported: 8_000...96_000)
      ),
      (
        { try VoiceProcessor(sampleRate: 96_001) },
        .sampleRateOutOfRange(96_001, supported: 8_000...96_000)
      ),
      (
        { try VoiceProcessor(sampleRate: 16_000, farChannelCount: 0) },
        .channelCountOutOfRange(0, supported: 1...2)
      ),
      (
        { try VoiceProcessor(sampleRate: 16_000, farChannelCount: 3) },
        .channelCountOutOfRange(3, supported: 1...2)
      ),
      ({ try VoiceProcessor(sampleRate: 16_000, echoTail: 9) }, .tailOutOfRange(9)),
      (
        { try VoiceProcessor(sampleRate: 16_000, farProcessor: wrong) },
        .farProcessorMismatch(expected: expected, actual: wrong.spec)
      ),
      (
        { try VoiceProcessor(sampleRate: 16_000, farProcessor: mono) },
        .farProcessorMismatch(expected: expected, actual: mono.spec)
      ),
    ]
    for (build, failure) in cases {
      XCTAssertThrowsError(try build()) { error in
        XCTAssertEqual(error as? VoiceFailure, failure)
        XCTAssertFalse("\(error)".contains("\n"))
      }
    }
    XCTAssertThrowsError(try VoiceProcessor(sampleRate: .nan))
  }

  /// The documentation forbids such a sequence of calls without a reset. Nevertheless, the sequence
  /// must not damage memory. Each row of samples has guard samples before and after its block.
  func test_processRenderAndCapture_inRandomOrder_writeOnlyTheirBlock_andSamplesStayFinite()
    throws
  {
    var generator = SeededGenerator(seed: 71)
    let (margin, capacity) = (64, 2_048)
    let canary: Float = 12_345
    for rate in [8_000, 44_100, 48_000] as [Double] {
      let processor = try VoiceProcessor(sampleRate: rate)
      let length = capacity + 2 * margin
      let memory = (0..<4).map { _ in UnsafeMutablePointer<Float>.allocate(capacity: length) }
      defer { memory.forEach { $0.deallocate() } }
      for row in memory { row.initialize(repeating: canary, count: length) }
      let rows = memory.map { $0 + margin }
      let stereo = [rows[1], rows[2]]
      stereo.withUnsafeBufferPointer { buffer in
        guard let channels = buffer.baseAddress else { return }
        for _ in 0..<(Signals.isSanitized ? 20 : 200) {
          let count = Int.random(in: 0...capacity, using: &generator)
          for (index, row) in rows.enumerated() {
            // The uplink is only an output. Therefore none of its previous samples may remain.
            row.update(repeating: index == 3 ? .nan : 0.1, count: count)
            (row + count).update(repeating: canary, count: capacity - count)
          }
          var hasUplink = true
          switch Int.random(in: 0..<3, using: &generator) {
          case 0:
            processor.process(
              microphone: rows[0], farVoice: channels, otherAudio: channels, uplink: rows[3],
              playback: channels, frameCount: count)
          case 1:
            processor.render(
              farVoice: channels, otherAudio: channels, playback: channels, frameCount: count)
            hasUplink = false
          default:
            processor.capture(microphone: rows[0], uplink: rows[3], frameCount: count)
          }
          let used = 0..<count
          XCTAssertTrue(used.allSatisfy { rows[0][$0] == 0.1 }, "the microphone is only read")
          for row in 1..<(hasUplink ? 4 : 3) {
            XCTAssertTrue(used.allSatisfy { rows[row][$0].isFinite }, "row \(row) at \(rate) Hz")
          }
          for row in memory {
            XCTAssertTrue((0..<margin).allSatisfy { row[$0] == canary })
            XCTAssertTrue((margin + count..<length).allSatisfy { row[$0] == canary })
          }
        }
      }
    }
  }
}
