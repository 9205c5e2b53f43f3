import Foundation
import HearingAudio
import HearingDSP
import HearingFitting
import HearingProcessing
import SignalTestSupport
import TestSupport
import XCTest

final class PassThruProcessingTests: XCTestCase {
  private typealias Request = AudioPassThruRequest

  /// An enabled session. The left ear has a flat gain, and the right ear has no gain.
  private func makeSession(
    gain: Double
  ) async throws -> (ProcessingController, ProcessingSession) {
    let ear = try EarPreset(
      frequencies: [250, 3_000], inputLevels: [65], gains: [[gain], [gain]])
    let controller = ProcessingController(scheduler: ManualScheduler())
    let session = try controller.activate(
      presetDataSource: .custom(FixedPreset(preset: Preset(left: ear, right: nil))))
    _ = try await session.preset.reload().get()
    session.isEnabled.apply(true)
    return (controller, session)
  }

  private struct FixedPreset: PresetLoading {
    let preset: Preset
    func loadPreset() async -> Preset? { preset }
  }

  /// The bytes of a 1 kHz tone with this peak, in the format of the request.
  private func tone(_ request: Request, peak: Double, milliseconds: Int) -> Data {
    let rate = Double(request.samplingRate.rawValue)
    var bytes = Data()
    for frame in 0..<request.samplingRate.rawValue * milliseconds / 1_000 {
      let sample = peak * sin(2 * .pi * 1_000 * Double(frame) / rate)
      switch request.sampleSize {
      case .bits8: bytes.append(UInt8(128 + (sample * 128).rounded()))
      case .bits16:
        let word = UInt16(bitPattern: Int16((sample * 32_768).rounded()))
        bytes.append(contentsOf: [UInt8(word & 0xFF), UInt8(word >> 8)])
      }
    }
    return bytes
  }

  private func samples(_ bytes: Data, _ size: Request.SampleSize) -> [Float] {
    switch size {
    case .bits8: bytes.map { (Float($0) - 128) / 128 }
    case .bits16:
      stride(from: 0, to: bytes.count - 1, by: 2).map { (index: Int) -> Float in
        let bits: UInt16 = UInt16(bytes[index]) | UInt16(bytes[index + 1]) << 8
        return Float(Int16(bitPattern: bits)) / 32_768
      }
    }
  }

  /// The output bytes and the response of a request. The input `sound` arrives in chunks of
  /// `chunkSize` bytes.
  private func hear(
    _ sound: Data, as request: Request, through processing: PassThruProcessing?,
    chunkSize: Int = 333
  ) async throws -> (bytes: Data, response: AudioPassThruResponse) {
    let passThru = AudioPassThru(processing: processing, scheduler: ManualScheduler())
    let heard = Recorder<Data>()
    var request = request
    request.audioDataHandler = { if let data = $0 { heard.record(data) } }
    let result = passThru.perform(request)
    for start in stride(from: 0, to: sound.count, by: chunkSize) {
      passThru.receive(sound[start..<min(start + chunkSize, sound.count)])
    }
    passThru.sourceDidFinish()
    return (Data(heard.events.joined()), try await result.get())
  }

  func test_session_everySamplingRateAndSampleSize_appliesTheGainOfTheEar() async throws {
    let (_, session) = try await makeSession(gain: 12)
    for rate in Request.SamplingRate.allCases {
      for size in Request.SampleSize.allCases {
        let request = Request(samplingRate: rate, sampleSize: size, maximumDuration: 10_000)
        let sound = tone(request, peak: 0.125, milliseconds: 200)
        for (ear, gain) in [(Ear.left, 12.0), (.right, 0)] {
          let (bytes, response) = try await hear(
            sound, as: request, through: .session(session, ear: ear))
          XCTAssertEqual(bytes.count, sound.count)
          XCTAssertEqual(response.frameCount, rate.rawValue / 5)
          XCTAssertEqual(response.clippedSampleCount, 0)
          let half = rate.rawValue / 10
          let before = Signals.rms(samples(sound, size)[half...])
          let after = Signals.rms(samples(bytes, size)[half...])
          let measured = 20 * log10(after / before)
          print("\(rate) \(size) \(ear): \(measured) dB")
          XCTAssertEqual(measured, gain, accuracy: size == .bits8 ? 0.1 : 0.02)
          if ear == .right { XCTAssertEqual(bytes, sound, "no gain, so bit-identical") }
        }
      }
    }
  }

  func test_session_whenDisabled_deliversUnchangedBytes() async throws {
    let (_, session) = try await makeSession(gain: 20)
    session.isEnabled.apply(false)
    var random = SeededGenerator(seed: 7)
    let sound = Data((0..<4_001).map { _ in UInt8.random(in: 0...255, using: &random) })
    for size in Request.SampleSize.allCases {
      let request = Request(samplingRate: .hz16000, sampleSize: size, maximumDuration: 1_000)
      let (bytes, response) = try await hear(
        sound, as: request, through: .session(session, ear: .left))
      XCTAssertEqual(bytes, size == .bits8 ? sound : sound.prefix(4_000))
      XCTAssertEqual(response.strayByteCount, size == .bits8 ? 0 : 1)
    }
  }

  func test_session_chunksOfAnySize_giveTheSameBytes() async throws {
    let (_, session) = try await makeSession(gain: 9)
    let request = Request(samplingRate: .hz44100, sampleSize: .bits16, maximumDuration: 1_000)
    let sound = tone(request, peak: 0.2, milliseconds: 30)
    let (whole, _) = try await hear(
      sound, as: request, through: .session(session, ear: .left), chunkSize: sound.count)
    for chunkSize in [1, 2, 3, 7, 64, 101, 4_095] {
      let (bytes, _) = try await hear(
        sound, as: request, through: .session(session, ear: .left), chunkSize: chunkSize)
      XCTAssertEqual(bytes, whole, "chunks of \(chunkSize)")
    }
  }

  func test_session_loudSound_isLimitedInsteadOfClipped() async throws {
    let (_, session) = try await makeSession(gain: 40)
    for size in Request.SampleSize.allCases {
      let request = Request(samplingRate: .hz16000, sampleSize: size, maximumDuration: 1_000)
      let sound = tone(request, peak: 0.42, milliseconds: 300)
      let (bytes, response) = try await hear(
        sound, as: request, through: .session(session, ear: .left))
      XCTAssertEqual(response.clippedSampleCount, 0, "\(size)")
      XCTAssertEqual(response.frameCount, 4_800)
      // The output is loud. In a clipped tone, many samples have the maximum of the integer format.
      // In this output, only few samples have it.
      let output = samples(bytes, size)[800...]
      XCTAssertGreaterThan(Signals.rms(output), 0.5)
      XCTAssertLessThanOrEqual(Signals.peak(output), 1)
    }
  }

  func test_customProcessor_outputAboveFullScale_countsClippedSamples() async throws {
    let request = Request(samplingRate: .hz16000, sampleSize: .bits16, maximumDuration: 1_000)
    let sound = tone(request, peak: 0.5, milliseconds: 100)
    let processing = PassThruProcessing { spec in
      let processor = try BandGainProcessor(
        spec: spec,
        layout: try XCTUnwrap(BandLayout.audiometric.limited(to: spec.sampleRate)))
      let gains = [processor.layout.centers.map { _ in 20.0 }]
      try processor.apply(
        ProcessorSettings(gains: gains, outputCeiling: 150, allowsOutputAboveFullScale: true))
      processor.reset()
      return processor
    }
    let (_, response) = try await hear(sound, as: request, through: processing)
    XCTAssertGreaterThan(response.clippedSampleCount, 800)
  }

  func test_session_newRequest_hasNoStateFromThePreviousRequest() async throws {
    let (_, session) = try await makeSession(gain: 15)
    let passThru = AudioPassThru(
      processing: .session(session, ear: .left), scheduler: ManualScheduler())
    let loud = Request(samplingRate: .hz8000, sampleSize: .bits16, maximumDuration: 50)
    let first = passThru.perform(loud)
    passThru.receive(tone(loud, peak: 0.9, milliseconds: 50))
    _ = try await first.get()
    let heard = Recorder<Data>()
    var silent = loud
    silent.audioDataHandler = { if let data = $0 { heard.record(data) } }
    let second = passThru.perform(silent)
    passThru.receive(Data(count: 800))
    let response = try await second.get()
    XCTAssertEqual(Data(heard.events.joined()), Data(count: 800))
    XCTAssertEqual(response.clippedSampleCount, 0)
  }

  func test_session_intensityChangedDuringARequest_changesTheGain() async throws {
    let (_, session) = try await makeSession(gain: 12)
    let request = Request(samplingRate: .hz16000, sampleSize: .bits16, maximumDuration: 10_000)
    let passThru = AudioPassThru(
      processing: .session(session, ear: .left), scheduler: ManualScheduler())
    let heard = Recorder<Data>()
    var listening = request
    listening.audioDataHandler = { if let data = $0 { heard.record(data) } }
    let result = passThru.perform(listening)
    let sound = tone(request, peak: 0.1, milliseconds: 100)
    passThru.receive(sound)
    session.intensity.apply(0.5)
    passThru.receive(sound)
    passThru.end()
    _ = try await result.get()
    let levels = heard.events.map { Signals.rmsLevel(samples($0, .bits16).suffix(800)) }
    XCTAssertEqual(levels[0] - levels[1], 6, accuracy: 0.05)
  }

  func test_perform_processorFailsOrHasAnotherSampleRateOrLatency_failsWithTheReason() async {
    struct NoProcessor: Error {}
    let request = Request(samplingRate: .hz16000, sampleSize: .bits16, maximumDuration: 10)
    let broken = AudioPassThru(processing: PassThruProcessing { _ in throw NoProcessor() })
    let wrong = AudioPassThru(
      processing: PassThruProcessing { _ in
        try BandGainProcessor(spec: ProcessingSpec(sampleRate: 48_000, channelCount: 1))
      })
    // This limiter delays the output by 5 ms. Without compensation, the last 5 ms of each request
    // would be lost.
    let late = AudioPassThru(
      processing: PassThruProcessing { spec in
        try BandGainProcessor(
          spec: spec, layout: try XCTUnwrap(BandLayout.audiometric.limited(to: spec.sampleRate)),
          limiter: LimiterConfiguration(lookAhead: 0.005))
      })
    for (passThru, word) in [(broken, "NoProcessor"), (wrong, "48000"), (late, "80 frames")] {
      do {
        _ = try await passThru.perform(request).get()
        XCTFail("the request runs without a processor")
      } catch {
        XCTAssertTrue("\(error)".contains(word), "\(error)")
      }
    }
  }
}
