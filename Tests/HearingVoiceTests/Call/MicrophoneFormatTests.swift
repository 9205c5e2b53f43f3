import HearingDSP
import HearingVoice
import SignalTestSupport
import TestSupport
import XCTest

/// Tests microphones with two channels, and calls at 96 kHz.
final class MicrophoneFormatTests: XCTestCase {
  /// The uplinks of two calls without playback. The microphone of the first call has two channels.
  /// The microphone of the second call has one channel, which is the mean of these two channels.
  private func uplinks(
    _ left: [Float], _ right: [Float], capturesOnly: Bool, inPlace: Int? = nil
  ) throws -> (stereo: [Float], mono: [Float]) {
    let stereo = try VoiceProcessor(sampleRate: 16_000)
    let mono = try VoiceProcessor(sampleRate: 16_000)
    for processor in [stereo, mono] { processor.microphoneMode = .standard }
    let count = left.count
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: 9 * count)
    memory.initialize(repeating: 0, count: 9 * count)
    defer { memory.deallocate() }
    let rows = (0..<9).map { memory + $0 * count }
    for index in 0..<count {
      (rows[0][index], rows[1][index]) = (left[index], right[index])
      // The processor replaces invalid samples with silence.
      let (one, other) = (
        left[index].isFinite ? left[index] : 0, right[index].isFinite ? right[index] : 0
      )
      rows[2][index] = 0.5 * (one + other)
    }
    let uplink = inPlace.map { rows[$0] } ?? rows[3]
    rows.withUnsafeBufferPointer { rows in
      guard let base = rows.baseAddress else { return }
      let pointers = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: 9)
      defer { pointers.deallocate() }
      pointers.initialize(from: base, count: 9)
      // Rows 5 and 6 contain silence. Rows 7 and 8 are for playback.
      if capturesOnly {
        stereo.capture(stereoMicrophone: pointers, uplink: uplink, frameCount: count)
        mono.capture(microphone: rows[2], uplink: rows[4], frameCount: count)
      } else {
        stereo.process(
          stereoMicrophone: pointers, farVoice: pointers + 5, otherAudio: pointers + 5,
          uplink: uplink, playback: pointers + 7, frameCount: count)
        mono.process(
          microphone: rows[2], farVoice: pointers + 5, otherAudio: pointers + 5, uplink: rows[4],
          playback: pointers + 7, frameCount: count)
      }
    }
    return (
      Array(UnsafeBufferPointer(start: uplink, count: count)),
      Array(UnsafeBufferPointer(start: rows[4], count: count))
    )
  }

  func test_stereoMicrophone_givesTheUplinkOfTheMeanOfBothChannels() throws {
    var left = Signals.noise(count: 4_000, seed: 1)
    var right = Signals.noise(count: 4_000, seed: 2)
    left[700] = .nan
    right[900] = .infinity
    for capturesOnly in [false, true] {
      for inPlace in [nil, 0, 1] as [Int?] {
        let result = try uplinks(left, right, capturesOnly: capturesOnly, inPlace: inPlace)
        XCTAssertEqual(Signals.bits(result.stereo), Signals.bits(result.mono), "\(capturesOnly)")
        XCTAssertGreaterThan(Signals.power(result.stereo), 1e-6)
      }
    }
  }

  /// Renders a call of 6 s in which near-end talk begins at 4 s. Returns the echo reduction in dB,
  /// the gain of near-end talk in dB, and the times at which near-end talk is reported.
  private func call(rate: Double) throws -> (removed: Double, kept: Double, starts: [Double]) {
    let far = SyntheticVoice.speech(seconds: 6, rate: rate, seed: 31, pitch: 180)
    var generator = SeededGenerator(seed: 32)
    let room = EchoScene.room(rate: rate, delay: 0.04, reverberation: 0.15, using: &generator)
    var microphone = EchoScene.convolved(far, room).map { 0.3 * $0 }
    let start = Int(4 * rate)
    let near = SyntheticVoice.speech(seconds: 2, rate: rate, level: 0.1, seed: 33, pitch: 120)
    for (index, sample) in near.enumerated() { microphone[start + index] += sample }
    let processor = try VoiceProcessor(sampleRate: rate)
    processor.microphoneMode = .wideSpectrum
    processor.isVoiceActivityDetectionEnabled = true
    let latency = Int(rate / 100)
    XCTAssertEqual(processor.uplinkLatency, latency)
    let result = TestCall(frames: far.count, microphone: microphone, farVoice: far)
      .rendered(by: processor)
    XCTAssertTrue(result.uplink.allSatisfy(\.isFinite))
    func level(_ samples: some Collection<Float>) -> Double {
      10 * log10(Signals.power(samples) + 1e-12)
    }
    let alone = Int(2.5 * rate)..<Int(3.9 * rate)
    let talk = Int(0.2 * rate)..<Int(1.9 * rate)
    let sent = talk.lowerBound + start + latency..<talk.upperBound + start + latency
    return (
      level(microphone[alone]) - level(result.uplink[alone]),
      level(result.uplink[sent]) - level(near[talk]),
      result.reported(.nearVoice).filter { $0.change == .started }.map { Double($0.frame) / rate }
    )
  }

  func test_call_at96kHz_removesEchoAndReportsNearTalkAsAt48kHz() throws {
    try XCTSkipIf(Signals.isSanitized, "seconds of sound take too long with a sanitizer")
    let (high, usual) = (try call(rate: 96_000), try call(rate: 48_000))
    print("at 96 kHz:", high, "at 48 kHz:", usual)
    XCTAssertGreaterThan(high.removed, 20)
    XCTAssertGreaterThan(high.removed, usual.removed - 3)
    XCTAssertEqual(high.kept, 0, accuracy: 1)
    XCTAssertEqual(high.starts.count, 1)
    XCTAssertEqual(high.starts.first ?? 0, usual.starts.first ?? 1, accuracy: 0.05)
  }
}
