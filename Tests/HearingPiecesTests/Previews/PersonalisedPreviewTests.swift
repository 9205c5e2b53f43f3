import Foundation
import HearingAudio
import HearingPieces
import HearingFitting
import TestSupport
import XCTest

final class PersonalisedPreviewTests: XCTestCase {
  private let rate = 8_000

  /// Renders the preview of samples at 8 kHz. Returns the output samples of both ears.
  private func render(
    _ samples: [[Float]], _ preset: Preset, loop: LoopMarkers? = nil
  ) throws -> [[Float]] {
    let scratch = try ScratchFolder()
    let input = scratch.url.appendingPathComponent("in.wav")
    try PieceWorld.wav(samples, encoding: .float32).write(to: input)
    let output = scratch.url.appendingPathComponent("out.wav")
    let preview = PersonalisedPreview(
      preset: preset, calibration: .fullScaleSPL(90), encoding: .float32)
    try preview.render(input, to: output, loop: loop)
    return try WAVReader(path: output.path).readSamples()
  }

  /// Loop markers for a range of frames at 8 kHz. A marker is a time in microseconds.
  private func markers(_ frames: Range<Int>) throws -> LoopMarkers {
    try LoopMarkers(
      start: Int64(frames.lowerBound) * 125, end: Int64(frames.upperBound) * 125)
  }

  /// Noise bursts and a tone. The signal ends differently from how it starts.
  private func music(_ count: Int, seed: UInt64 = 7) -> [Float] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { frame in
      let burst = exp(-Double(frame % 1_600) / 300)
      let noise = Double.random(in: -1...1, using: &generator) * burst
      return Float(0.05 * (noise + sin(Double(frame) * 0.4)))
    }
  }

  private func difference(_ first: ArraySlice<Float>, _ second: ArraySlice<Float>) -> Float {
    XCTAssertEqual(first.count, second.count)
    return zip(first, second).map { abs($0 - $1) }.max() ?? 0
  }

  /// The maximum difference between two adjacent samples in a range of frames.
  private func maximumStep(_ samples: [Float], _ frames: Range<Int>) -> Float {
    difference(samples[frames], samples[(frames.lowerBound - 1)..<(frames.upperBound - 1)])
  }

  /// A compressive preset. The renderer first renders a loop for fifteen release time constants
  /// without writing it. Debug builds are slow, so they use a shorter release time.
  private var compressive: Preset {
    get throws {
      let preset = try Fitting.techLevel(3).preset(for: HearingProfile(left: .n3, right: .s2))
      #if DEBUG
        return Preset(
          left: try preset.left.map(withShortRelease), right: try preset.right.map(withShortRelease)
        )
      #else
        return preset
      #endif
    }
  }

  private func withShortRelease(_ ear: EarPreset) throws -> EarPreset {
    try EarPreset(
      frequencies: ear.frequencies, inputLevels: ear.inputLevels, gains: ear.gains,
      attackTimes: ear.attackTimes, releaseTimes: ear.releaseTimes.map { $0 / 8 },
      maximumOutput: ear.maximumOutput, maximumOutputs: ear.maximumOutputs)
  }

  private var linear: Preset {
    get throws { try Fitting.techLevel(2).preset(for: HearingProfile(left: .n3, right: .n2)) }
  }

  func test_preview_hasThePrescribedGain_andTheMixStemIsUnchanged() async throws {
    let world = try PieceWorld()
    let profile = HearingProfile(left: .n2, right: .s1)
    let preset = try PrescriptionRule.halfGain.preset(for: profile)
    let tone = (0..<8_000).map { Float(0.001 * sin(2 * .pi * 1_000 * Double($0) / 8_000)) }
    let wav = PieceWorld.wav([tone], encoding: .float32)
    var renderer = PieceRenderer { .data(wav) }
    renderer.preview = .personalised(PersonalisedPreview(preset: preset, encoding: .float32))
    let piece = try await world.drop(renderer, PieceWorld.metadata(length: 1_000_000))
    let stem = try await piece.mixStem()
    XCTAssertEqual(try Data(contentsOf: stem), wav)
    let ears = try WAVReader(path: try await piece.preview().path).readSamples()
    for (ear, samples) in zip(Ear.allCases, ears) {
      let expected = try XCTUnwrap(preset[ear]).gain(at: 1_000, inputLevel: 65)
      let power = samples.suffix(1_600).reduce(0) { $0 + Double($1) * Double($1) } / 1_600
      XCTAssertEqual(
        10 * log10(power) - 20 * log10(0.001 / 2.0.squareRoot()), expected, accuracy: 0.1)
    }
  }

  func test_integerPreview_neverClips() async throws {
    let world = try PieceWorld()
    let preset = try compressive
    let wav = PieceWorld.wav([music(4_000).map { $0 * 10 }], encoding: .float32)
    var renderer = PieceRenderer { .data(wav) }
    renderer.preview = .personalised(PersonalisedPreview(preset: preset))
    let piece = try await world.drop(renderer, PieceWorld.metadata(length: 500_000))
    let reader = try WAVReader(path: try await piece.preview().path)
    XCTAssertEqual(reader.format.encoding, .int16)
    let peak = try reader.readSamples().joined().map(abs).max() ?? 0
    XCTAssertGreaterThan(peak, 0.01)
    XCTAssertLessThan(peak, 1)
  }

  func test_loopedPreview_equalsTheSecondCopyOfTheLoopRenderedTwice() throws {
    let count = 12_800
    let loop = music(count)
    for preset in [try linear, try compressive] {
      let twice = try render([loop + loop], preset)
      let looped = try render([loop], preset, loop: try markers(0..<count))
      let once = try render([loop], preset)
      for ear in 0..<2 {
        XCTAssertEqual(looped[ear].count, count)
        XCTAssertLessThan(difference(looped[ear][...], twice[ear][count...]), 1e-4)
        // Without loop markers, the output differs from the second copy, because the processor has
        // no earlier input.
        XCTAssertGreaterThan(difference(once[ear][...], twice[ear][count...]), 3e-3)
      }
    }
  }

  func test_loopedPreview_hasNoDiscontinuityBetweenItsEndAndStart() throws {
    // The input consists of whole periods of the tones. Therefore the input can be repeated without
    // a discontinuity.
    let count = 8_000
    let tones: [Float] = (0..<count).map { frame in
      let phase = 2 * Double.pi * Double(frame) / 8_000
      return Float(0.05 * (cos(100 * phase) + 0.5 * cos(163 * phase) + 0.3 * cos(241 * phase)))
    }
    for preset in [try linear, try compressive] {
      let looped = try render([tones], preset, loop: try markers(0..<count))
      let once = try render([tones], preset)
      let endless = try render([tones + tones + tones], preset)
      for ear in 0..<2 {
        // At the point where the end meets the start, all three tones are at their maximum.
        let ordinary = bend(endless[ear], across: 2 * count)
        XCTAssertLessThan(bend(looped[ear] + looped[ear], across: count), 1.01 * ordinary)
        let seam = bend(once[ear] + once[ear], across: count)
        XCTAssertGreaterThan(seam, 1.05 * ordinary, "without loop markers there should be a seam")
      }
    }
  }

  /// The larger of the two second differences of the samples at `seam`. A large value means that
  /// the slope of the signal changes abruptly.
  private func bend(_ samples: [Float], across seam: Int) -> Float {
    [seam - 1, seam].map { abs(samples[$0 - 1] - 2 * samples[$0] + samples[$0 + 1]) }.max() ?? 0
  }

  func test_loopInsideAPiece_isSeamless_andOtherSoundIsUnchanged() throws {
    let piece = music(12_000, seed: 3)
    let loop = 3_000..<9_000
    let preset = try linear
    let looped = try render([piece], preset, loop: try markers(loop))
    let plain = try render([piece], preset)
    let around = try render([Array(piece[loop]) + Array(piece[loop]) + piece[9_000...]], preset)
    for ear in 0..<2 {
      XCTAssertEqual(looped[ear].count, piece.count)
      // In the last 5 ms before the loop, the output is a ramp that leads to the first frame of the
      // loop.
      XCTAssertEqual(looped[ear][..<2_960], plain[ear][..<2_960])
      XCTAssertLessThan(difference(looped[ear][3_000...], around[ear][6_000...]), 1e-4)
      XCTAssertLessThanOrEqual(
        maximumStep(looped[ear], 2_990..<3_010), maximumStep(plain[ear], 2_500..<3_500))
    }
  }

  /// The number of frames of a loop that is longer than one second. If a loop is shorter, it is
  /// rendered for one second before the output is written.
  private var longLoop: Int {
    #if DEBUG
      return 12_000
    #else
      return 70_000
    #endif
  }

  func test_veryShortAndLongLoops_equalManyRenderedRepetitions() throws {
    let preset = try linear
    for (count, loop) in [(400, 100..<101), (400, 0..<400), (longLoop, 10..<longLoop - 10)] {
      let piece = music(count)
      let looped = try render([piece], preset, loop: try markers(loop))
      XCTAssertEqual(looped.map(\.count), [count, count])
      let settled = try render(
        [Array((0..<(20_000 / loop.count + 1)).map { _ in piece[loop] }.joined()) + piece[loop]],
        preset)
      for ear in 0..<2 {
        XCTAssertLessThan(
          difference(looped[ear][loop], settled[ear].suffix(loop.count)), 1e-4, "\(loop)")
      }
    }
  }

  func test_drop_withLoopMarkers_rendersALoopedPreview() async throws {
    let world = try PieceWorld()
    let samples = music(4_000)
    let wav = PieceWorld.wav([samples], encoding: .float32)
    var renderer = PieceRenderer { .data(wav) }
    let preset = try linear
    renderer.preview = .personalised(
      PersonalisedPreview(preset: preset, calibration: .fullScaleSPL(90), encoding: .float32))
    let loop = try markers(0..<4_000)
    let piece = try await world.drop(renderer, PieceWorld.metadata(length: 500_000, loop: loop))
    let ears = try WAVReader(path: try await piece.preview().path).readSamples()
    XCTAssertEqual(ears, try render([samples], preset, loop: loop))
    XCTAssertNotEqual(ears, try render([samples], preset))
  }

  func test_drop_withAPreviewOfAnUnsupportedRecording_fails() async throws {
    let cases: [(Data, RenderingError)] = [
      (PieceWorld.wav(channelCount: 3), .tooManyChannels(3)),
      (PieceWorld.wav(frameCount: 400, rate: 4_000), .unsupportedSampleRate(4_000)),
    ]
    for (wav, expected) in cases {
      let world = try PieceWorld()
      var renderer = PieceRenderer { .data(wav) }
      renderer.preview = .personalised(PersonalisedPreview(preset: try linear))
      let failure = try await world.failure(renderer)
      XCTAssertEqual(failure, .personalisation(expected))
    }
  }

  func test_rendering_cancelledAtAnyMoment_leavesNoFile() throws {
    let scratch = try ScratchFolder()
    let input = scratch.url.appendingPathComponent("in.wav")
    try PieceWorld.wav([music(12_000)]).write(to: input)
    let output = scratch.url.appendingPathComponent("out.wav")
    var reads = 0
    // The level measurement and the rendering both call `isCancelled` many times.
    for moment in 0..<1_000 {
      reads = 0
      do {
        try PersonalisedPreview(preset: try linear).render(
          input, to: output,
          isCancelled: {
            reads += 1
            return reads > moment
          })
        XCTAssertGreaterThan(moment, 12)
        return
      } catch {
        guard case RenderingError.cancelled = error else { return XCTFail("\(error)") }
        XCTAssertEqual(try scratch.names(), ["in.wav"])
      }
    }
    XCTFail("the rendering was cancelled every time")
  }

  func test_previewWithALevelOutOfRange_failsTheDrop() async throws {
    let world = try PieceWorld()
    let wav = PieceWorld.wav()
    for level in [-1, 201, Double.nan, .infinity] {
      var renderer = PieceRenderer { .data(wav) }
      renderer.preview = .personalised(
        PersonalisedPreview(preset: try linear, calibration: .fullScaleSPL(level)))
      let failure = try await world.failure(renderer)
      guard case .personalisation(.levelOutOfRange) = failure else {
        XCTFail("\(level): \(String(describing: failure))")
        continue
      }
    }
  }

  func test_loopCountAboveOne_repeatsTheLoop_andFadesInAndOut() throws {
    let scratch = try ScratchFolder()
    let input = scratch.url.appendingPathComponent("in.wav")
    let samples = music(20_480)
    try PieceWorld.wav([samples], encoding: .float32).write(to: input)
    // The level detector processes windows of a fixed length. The loop consists of whole windows,
    // so every repetition of the loop gives the same output.
    let loop = 6_400..<16_640
    func rendered(_ loopCount: Int) throws -> [[Float]] {
      let output = scratch.url.appendingPathComponent("out.wav")
      var preview = PersonalisedPreview(
        preset: try compressive, calibration: .fullScaleSPL(90), encoding: .float32)
      preview.loopCount = loopCount
      try preview.render(input, to: output, loop: try markers(loop))
      return try WAVReader(path: output.path).readSamples()
    }
    let whole = try rendered(1)
    let rounds = try rendered(4)
    for ear in 0..<2 {
      XCTAssertEqual(whole[ear].count, 20_480)
      XCTAssertEqual(rounds[ear].count, 40_960)
      let round = whole[ear][loop]
      for start in [10_240, 20_480] {
        XCTAssertLessThan(difference(rounds[ear][start..<start + 10_240], round), 1e-4)
      }
      // Each fade is a raised cosine that lasts one second. In the middle of a fade, the gain is
      // 0.5.
      let fade = 8_000
      XCTAssertLessThan(abs(rounds[ear][0]), 1e-6)
      XCTAssertLessThan(abs(rounds[ear][40_959]), 1e-6)
      for index in [fade / 4, fade / 2, fade - 1] {
        let gain = 0.5 - 0.5 * cos(Float.pi * (Float(index) + 0.5) / Float(fade))
        XCTAssertEqual(
          rounds[ear][index], gain * whole[ear][loop.lowerBound + index], accuracy: 1e-4)
        XCTAssertEqual(
          rounds[ear][40_959 - index], gain * whole[ear][loop.upperBound - 1 - index],
          accuracy: 1e-4)
      }
    }
  }

  func test_loopThatIsTooLongOrBeyondTheEnd_failsAndNamesTheReason() throws {
    let scratch = try ScratchFolder()
    let input = scratch.url.appendingPathComponent("in.wav")
    try PieceWorld.wav([music(4_000)], encoding: .float32).write(to: input)
    let cases: [(loopCount: Int, loop: Range<Int64>, reason: String)] = [
      (.max, 0..<500_000, "at most 172800 are possible"),
      (172_801, 0..<500_000, "172801 rounds last more than 24 hours"),
      (2, 500_000..<600_000, "no frames from 500000 to 600000 µs in a recording of 4000 frames"),
      (1, 500_000..<Int64.max, "no frames from 500000"),
      (1, 0..<10, "no frames from 0 to 10 µs"),
    ]
    for (loopCount, loop, reason) in cases {
      var preview = PersonalisedPreview(preset: try linear, calibration: .fullScaleSPL(90))
      preview.loopCount = loopCount
      let markers = try LoopMarkers(start: loop.lowerBound, end: loop.upperBound)
      XCTAssertThrowsError(
        try preview.render(
          input, to: scratch.url.appendingPathComponent("out.wav"), loop: markers)
      ) {
        guard case RenderingError.file(let error) = $0 else { return XCTFail("\($0)") }
        XCTAssertTrue("\(error)".contains(reason), "\(error)")
        XCTAssertTrue("\(error)".contains("in.wav': render the loop"), "\(error)")
      }
    }
    XCTAssertEqual(try scratch.names(), ["in.wav"])
  }

  func test_rendering_fromOrToARemoteURL_failsWithNotFileURL() throws {
    let remote = try XCTUnwrap(URL(string: "https://localhost/in.wav"))
    let local = FileManager.default.temporaryDirectory.appendingPathComponent("none.wav")
    for (source, destination) in [(remote, local), (local, remote)] {
      XCTAssertThrowsError(
        try PersonalisedPreview(preset: try linear).render(source, to: destination)
      ) {
        XCTAssertEqual(
          $0 as? RenderingError, .file(.notFileURL(url: remote.absoluteString)))
      }
    }
  }
}
