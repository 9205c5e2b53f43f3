import Foundation
import HearingFitting
import SignalTestSupport
import TestSupport
import XCTest

/// Runs `hearing-live` and checks its audio output.
final class HearingLiveTests: XCTestCase {
  private func run(
    _ arguments: String, input: Data = Data(), in folder: ScratchFolder? = nil
  ) throws -> BuiltExecutable.Outcome {
    let folder = try folder ?? ScratchFolder()
    return try BuiltExecutable("hearing-live").run(
      arguments.split(separator: " ").map(String.init), in: folder.url, input: input)
  }

  private func start(_ arguments: String, in folder: ScratchFolder) throws -> RunningExecutable {
    try RunningExecutable(
      "hearing-live", arguments.split(separator: " ").map(String.init), in: folder.url)
  }

  private func noise(_ count: Int, seed: UInt64 = 5) -> Data {
    var random = SeededGenerator(seed: seed)
    return Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
  }

  /// A 1 kHz sine at 48 kHz as 32-bit floats, with one channel.
  private func tone(amplitude: Float, frames: Int = 12_000) -> Data {
    let samples = (0..<frames).map { amplitude * Float(sin(2 * .pi * Double($0) / 48)) }
    return samples.withUnsafeBytes { Data($0) }
  }

  private func floats(_ data: Data) -> [Float] {
    data.withUnsafeBytes { bytes in
      (0..<data.count / 4).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
    }
  }

  /// The gain in dB from the input to the output, measured over the last fifth of both signals.
  private func gain(from input: Data, to output: Data) -> Double {
    let (before, after) = (floats(input), floats(output))
    return Signals.rmsLevel(after.suffix(after.count / 5))
      - Signals.rmsLevel(before.suffix(before.count / 5))
  }

  func test_withoutAudiogramOrPreset_theOutputEqualsTheInput() throws {
    // The program processes its input in slices of many frames. The length of this input is not a
    // multiple of the slice size, so the last slice is incomplete. The input has two channels.
    for (format, frameBytes) in [("f32le", 8), ("s16le", 4), ("u8", 2)] {
      let input = noise(5_001 * frameBytes)
      let outcome = try run("--rate 44100 --channels 2 --format \(format)", input: input)
      XCTAssertEqual(outcome.exitCode, 0, outcome.errors)
      XCTAssertTrue(outcome.outputData == input, format)
    }
  }

  func test_unreliableHearingTest_isReported_asTextOrAsAnEvent() throws {
    let folder = try ScratchFolder()
    let record = MeasurementRecord(
      procedure: "bayesian", headphone: "X", notes: [.falseAlarms, .uncalibrated])
    let profile = HearingProfile(left: .n3, right: .n3, method: .selfTest, record: record)
    try folder.write(String(decoding: profile.jsonData(), as: UTF8.self), to: "test.json")
    let options = "--rate 48000 --channels 1 --format f32le --audiogram test.json"
    let outcome = try run(options, input: tone(amplitude: 0.01), in: folder)
    XCTAssertEqual(outcome.exitCode, 0, outcome.errors)
    for words in [
      "hearing-live: test.json: The button was often pressed in silence.", "Do not rely on this",
      "hearing-live: test.json: The headphone is not calibrated",
    ] {
      XCTAssertTrue(outcome.errors.contains(words), outcome.errors)
    }
    let events = try run(options + " --events", input: tone(amplitude: 0.01), in: folder)
    XCTAssertTrue(
      events.errorLines.contains { $0.contains("warning") && $0.contains("not calibrated") },
      events.errors)
  }

  func test_wavInput_isRejectedBeforeAnyOutput() throws {
    let outcome = try run(
      "--rate 8000 --channels 2 --format s16le", input: Data("RIFF".utf8) + noise(4_000))
    XCTAssertEqual(outcome.exitCode, 65)
    XCTAssertTrue(outcome.outputData.isEmpty)
    XCTAssertEqual(
      outcome.errors,
      "hearing-live: standard input: it is a WAV file, not raw PCM; convert it: "
        + "ffmpeg -i FILE -f s16le -ar 8000 -ac 2 - | hearing-live …\n")
  }

  func test_compressedAndAIFFInput_isRejectedBeforeAnyOutput() throws {
    // Each input contains two frames of one format. The formats are MP3 (MPEG-1 at 128 kbit/s), MP3
    // (MPEG-2 at 64 kbit/s) and AAC in ADTS frames.
    let frames: [(header: [UInt8], byteCount: Int, format: String)] = [
      ([0xFF, 0xFB, 0x90, 0xC4], 417, "MP3"), ([0xFF, 0xF3, 0x80, 0xC4], 208, "MP3"),
      ([0xFF, 0xF1, 0x4C, 0x80, 0x19, 0x1F], 200, "AAC"),
    ]
    let markers: [(bytes: Data, format: String)] = [
      (Data("ID3\u{4}".utf8), "MP3"), (Data("fLaC".utf8), "FLAC"), (Data("OggS".utf8), "Ogg"),
      (Data([0, 0, 0, 0x20] + "ftypM4A ".utf8), "AAC"), (Data("FORM".utf8), "AIFF"),
    ]
    let streams =
      frames.map { frame in
        let frameBytes = Data(frame.header) + Data(count: frame.byteCount - frame.header.count)
        return (bytes: frameBytes + frameBytes, format: frame.format)
      } + markers
    for (bytes, format) in streams {
      let outcome = try run("--rate 48000 --channels 1 --format f32le", input: bytes + noise(4_000))
      XCTAssertEqual(outcome.exitCode, 65, format)
      XCTAssertTrue(outcome.outputData.isEmpty, format)
      XCTAssertTrue(
        outcome.errors.contains("standard input: it is \(format)")
          && outcome.errors.contains("ffmpeg -i FILE -f f32le -ar 48000 -ac 1 -"), outcome.errors)
    }
  }

  func test_soundFileInSlicesOfOneFrame_isRejected() throws {
    let outcome = try run(
      "--rate 8000 --channels 1 --format u8 --slice 1", input: Data("OggS".utf8) + noise(400))
    XCTAssertEqual(outcome.exitCode, 65)
    XCTAssertLessThan(outcome.outputData.count, 4)
  }

  func test_samplesThatLookLikeOneMP3Frame_areAccepted() throws {
    let input = Data([0xFF, 0xFB, 0x90, 0xC4]) + Data(count: 8_000)
    for input in [input, Data(repeating: 0xFF, count: 8_000)] {
      let outcome = try run("--rate 8000 --channels 2 --format s16le", input: input)
      XCTAssertEqual(outcome.exitCode, 0, outcome.errors)
      XCTAssertTrue(outcome.outputData == input)
    }
  }

  func test_presetPassedAsAudiogram_failsAndSuggestsPresetOption() throws {
    let folder = try ScratchFolder()
    let preset = try Fitting.techLevel(3).preset(for: HearingProfile(left: .n3, right: .n3))
    try preset.jsonData().write(to: folder.url.appendingPathComponent("preset.json"))
    let outcome = try run(
      "--rate 8000 --channels 2 --format s16le --audiogram preset.json", in: folder)
    XCTAssertEqual(outcome.exitCode, 65)
    XCTAssertTrue(outcome.errors.contains("use --preset preset.json"), outcome.errors)
  }

  func test_incompleteFrameAtTheEnd_isDroppedWithAWarning() throws {
    let input = noise(4_003)
    let outcome = try run("--rate 8000 --channels 2 --format s16le", input: input)
    XCTAssertEqual(outcome.exitCode, 0)
    XCTAssertEqual(outcome.outputData, input.dropLast(3))
    XCTAssertEqual(
      outcome.errors, "hearing-live: the input ended within a frame; 3 bytes were dropped\n")
  }

  func test_emptyInput_givesEmptyOutput() throws {
    let outcome = try run("--rate 48000 --channels 1 --format u8 --audiogram N3")
    XCTAssertEqual(outcome.exitCode, 0)
    XCTAssertEqual(outcome.outputData, Data())
  }

  func test_readsThatSplitSamples_loseNoSample() throws {
    let folder = try ScratchFolder()
    let live = try start("--rate 16000 --channels 2 --format f32le --slice 16", in: folder)
    let input = noise(16 * 8 * 5)
    var random = SeededGenerator(seed: 9)
    var rest = input
    var output = Data()
    while !rest.isEmpty {
      let count = min(Int.random(in: 1...19, using: &random), rest.count)
      try live.write(Data(rest.prefix(count)))
      rest = Data(rest.dropFirst(count))
      // The program writes every complete slice before it reads more input.
      let complete = (input.count - rest.count) / 128 * 128
      output += try live.read(complete - output.count)
    }
    XCTAssertEqual(output, input)
    XCTAssertEqual(try live.exitCode(), 0)
  }

  func test_output_isDelayedByExactlyOneSlice() throws {
    let folder = try ScratchFolder()
    let live = try start("--rate 48000 --channels 1 --format s16le --slice 256", in: folder)
    let input = noise(512 * 3)
    for slice in 0..<3 {
      let start = slice * 512
      try live.write(input[start..<start + 510])
      try live.readsEverything()
      try live.write(input[start + 510..<start + 511])
      // The program reads again only after it has processed the previous bytes.
      try live.readsEverything()
      XCTAssertEqual(live.waitingByteCount, 0, "the slice is not yet full")
      try live.write(input[start + 511..<start + 512])
      XCTAssertEqual(try live.read(512), input[start..<start + 512])
    }
    XCTAssertEqual(try live.exitCode(), 0)
  }

  func test_audiogram_appliesThePrescribedGain() throws {
    let input = tone(amplitude: 0.002)
    let outcome = try run(
      "--rate 48000 --channels 1 --format f32le --audiogram N3 --rule half-gain", input: input)
    XCTAssertEqual(outcome.exitCode, 0, outcome.errors)
    XCTAssertEqual(gain(from: input, to: outcome.outputData), 20, accuracy: 0.1)
  }

  func test_audiogramWithoutARule_givesMoreGainToSoftSound() throws {
    var gains: [Double] = []
    for amplitude in [0.0005, 0.05] as [Float] {
      let input = tone(amplitude: amplitude)
      let outcome = try run(
        "--rate 48000 --channels 1 --format f32le --audiogram N3", input: input)
      gains.append(gain(from: input, to: outcome.outputData))
    }
    XCTAssertGreaterThan(gains[0], gains[1] + 5)
    XCTAssertGreaterThan(gains[1], 0)
  }

  func test_presetFile_isApplied_andTheMaximumOutputIsNotExceeded() throws {
    let folder = try ScratchFolder()
    let ear = try EarPreset(frequencies: [1_000], gains: [30])
    try Preset(left: ear, right: ear).jsonData().write(
      to: folder.url.appendingPathComponent("preset.json"))
    let input = tone(amplitude: 0.002)
    let outcome = try run(
      "--rate 48000 --channels 1 --format f32le --preset preset.json", input: input, in: folder)
    XCTAssertEqual(gain(from: input, to: outcome.outputData), 30, accuracy: 0.1)
    let limited = try run(
      "--rate 48000 --channels 1 --format f32le --preset preset.json --max-output-spl 65",
      input: input, in: folder)
    let ceiling = Float(2.0.squareRoot() * pow(10, (65 - 100) / 20.0)) * 1.00001
    XCTAssertTrue(floats(limited.outputData).allSatisfy { abs($0) <= ceiling })
  }

  func test_lowerFullScale_givesMoreGain() throws {
    let input = tone(amplitude: 0.01)
    let gains = try [90, 120].map { level in
      let outcome = try run(
        "--rate 48000 --channels 1 --format f32le --audiogram N3 --full-scale-spl \(level)",
        input: input)
      return gain(from: input, to: outcome.outputData)
    }
    XCTAssertGreaterThan(gains[0], gains[1] + 5)
  }

  func test_integerOutput_isLimitedInsteadOfClipped() throws {
    let samples = (0..<6_000).map { Int16(30_000 * sin(2 * .pi * Double($0) / 48)) }
    let input = samples.withUnsafeBytes { Data($0) }
    let outcome = try run(
      "--rate 48000 --channels 1 --format s16le --audiogram N4 --rule half-gain", input: input)
    XCTAssertEqual(outcome.exitCode, 0)
    XCTAssertEqual(
      outcome.errors,
      "hearing-live: the output is limited to 97.0 dB SPL, the highest level that s16le can "
        + "represent\n",
      "nothing clipped")
    XCTAssertNotEqual(outcome.outputData, input)
  }

  func test_integerOutput_isLimited_withOnlyAHeadphoneCorrection_andInChannelsOfNoEar() throws {
    let folder = try ScratchFolder()
    try folder.write(
      "Preamp: 12 dB\nFilter 1: ON PK Fc 1000 Hz Gain 10 dB Q 1\n", to: "ParametricEQ.txt")
    for (format, listener) in [("s16le", ""), ("u8", ""), ("s16le", " --audiogram N3")] {
      let outcome = try run(
        "--rate 48000 --channels 4 --format \(format) --headphone ParametricEQ.txt" + listener,
        input: noise(96_000), in: folder)
      XCTAssertEqual(outcome.exitCode, 0)
      XCTAssertFalse(outcome.errors.contains("clipped"), outcome.errors)
    }
  }

  func test_linearRule_atAFullScaleAboveItsMaximumOutput_isApplied() throws {
    let input = Data(count: 9_600)
    for rule in ["nal-r", "comfortable-speech"] {
      let outcome = try run(
        "--rate 48000 --channels 1 --format s16le --audiogram N3 --full-scale-spl 120 --rule \(rule)",
        input: input)
      XCTAssertEqual(outcome.exitCode, 0, outcome.errors)
      XCTAssertEqual(outcome.outputData, input, rule)
    }
  }

  func test_floatsBeyondFullScale_areWritten_withAWarningThatCountsThem() throws {
    let input = tone(amplitude: 1.5)
    let outcome = try run("--rate 48000 --channels 1 --format f32le", input: input)
    let count = floats(outcome.outputData).filter { abs($0) > 1 }.count
    XCTAssertGreaterThan(count, 0)
    XCTAssertTrue(
      outcome.errors.contains("hearing-live: \(count) output samples were beyond ±1.0\n"),
      outcome.errors)
    XCTAssertTrue(outcome.errors.contains("players and integer formats clip them"))
    let quiet = try run("--rate 48000 --channels 1 --format f32le", input: tone(amplitude: 0.9))
    XCTAssertEqual(quiet.errors, "")
  }

  func test_sliceSize_doesNotChangeTheOutput() throws {
    let input = tone(amplitude: 0.01, frames: 6_000)
    let outputs = try [1_000, 4_096, 8_192].map { slice in
      try run(
        "--rate 48000 --channels 1 --format f32le --audiogram N3 --slice \(slice)", input: input
      ).outputData
    }
    // A slice is the number of frames that the program reads at once. The program splits slices of
    // more than 4,096 frames before processing.
    XCTAssertTrue(outputs[0] == outputs[1] && outputs[1] == outputs[2])
  }

  func test_closingTheOutput_endsTheProgramWithExitCode0() throws {
    let folder = try ScratchFolder()
    let live = try start("--rate 8000 --channels 1 --format u8 --slice 8", in: folder)
    try live.write(noise(8))
    _ = try live.read(8)
    // The test closes the output of the program while the program waits for input.
    try live.closeOutput()
    XCTAssertNil(try live.errorLine())
    XCTAssertEqual(try live.exitCode(), 0)
  }

  func test_closedStandardStream_isNamedInTheError() throws {
    let folder = try ScratchFolder()
    for (stream, code, text) in [
      (">&-", 74, "cannot write \"standard output\": it is closed"),
      ("<&-", 66, "\"standard input\": it is closed"),
    ] as [(String, Int32, String)] {
      let outcome = try BuiltExecutable("hearing-live").run(
        "--rate 8000 --channels 1 --format f32le --audiogram N3 \(stream)", in: folder.url,
        input: noise(8_000))
      XCTAssertEqual(outcome.exitCode, code, stream)
      XCTAssertEqual(outcome.errors, "hearing-live: \(text)\n")
    }
  }

  func test_interruptSignal_writesAllInputThatWasRead() throws {
    let folder = try ScratchFolder()
    let live = try start("--rate 8000 --channels 1 --format s16le --slice 100", in: folder)
    let input = noise(1_050)
    try live.write(input)
    let whole = try live.read(1_000)
    try live.readsEverything()
    live.send(signal: SIGINT)
    XCTAssertEqual(whole + (try live.readToEnd()), input)
    XCTAssertEqual(try live.exitCode(), 0)
  }

  func test_interruptSignal_endsTheProgram_evenIfTheOutputIsNotRead() throws {
    let folder = try ScratchFolder()
    let live = try start("--rate 8000 --channels 1 --format u8", in: folder)
    // The input is larger than the capacity of one pipe and smaller than the capacity of two pipes.
    // Therefore the output pipe becomes full, and the program blocks while it writes.
    try live.write(noise(100_000))
    // The test waits until the output pipe is full and the program has read the next slice.
    try live.wait(until: "the pipe is full") { live.waitingByteCount > 61_440 }
    try live.wait(until: "it holds a slice") {
      live.waitingByteCount + live.unreadByteCount <= 100_000 - 512
    }
    live.send(signal: SIGINT)
    XCTAssertEqual(
      try live.errorLine(),
      "hearing-live: cannot write \"standard output\": the reader does not accept data")
    XCTAssertEqual(try live.exitCode(), 74)
  }

  func test_invalidArguments_exitWith64_andNameTheArgument() throws {
    let stream = "--rate 48000 --channels 2 --format f32le"
    for (arguments, text) in [
      ("", "--rate is missing"), ("--rate 48000 --channels 1", "--format is missing"),
      ("--rate 48000 --format u8", "--channels is missing"),
      ("--rate 7999 --channels 1 --format u8", "7999 is outside 8000…192000"),
      ("--rate 48000 --channels 9 --format u8", "9 is outside 1…8"),
      ("--rate 48000 --channels 1 --format s24le", "\"s24le\" is not one of f32le, s16le, u8"),
      ("\(stream) --slice 0", "0 is outside 1…65536"),
      ("\(stream) --rule nal-r", "--rule needs --audiogram"),
      ("\(stream) --preset a.json --audiogram N3", "--audiogram cannot be combined with --preset"),
      ("\(stream) --audiogram N3 --max-output-spl 118", "118 is outside 1…117"),
      ("\(stream) --audiogram N3 --rule nal-r --max-output-spl 112", "outside 1…111"),
      ("--rate 48000 --channels 1 --format u8 --full-scale-spl 0", "0.0 is outside 10…200"),
      ("\(stream) --audiogram a.csv --compare ./a.csv", "--audiogram and --compare are the same"),
      (
        "\(stream) --audiogram N3 --headphone a.txt --compare a.txt",
        "--headphone and --compare are the same file"
      ),
      ("\(stream) --preset a.json --compare a.json", "--preset and --compare are the same file"),
      ("\(stream) here", "\"here\" is one argument too many"),
      ("\(stream) --loud", "unknown option \"--loud\""),
    ] {
      let outcome = try run(arguments, input: noise(64))
      XCTAssertEqual(outcome.exitCode, 64, arguments)
      XCTAssertEqual(outcome.errorLines.count, 1)
      XCTAssertTrue(outcome.errors.contains(text), "\(arguments): \(outcome.errors)")
      XCTAssertEqual(outcome.outputData, Data())
    }
  }

  func test_invalidOrMissingListenerFile_failsBeforeAnyOutput() throws {
    let folder = try ScratchFolder()
    try folder.write("{}", to: "broken.json")
    let stream = "--rate 48000 --channels 2 --format f32le"
    for (arguments, code) in [
      ("--audiogram nowhere.json", 66), ("--preset nowhere.json", 66),
      ("--audiogram broken.json", 65), ("--preset broken.json", 65),
    ] as [(String, Int32)] {
      let outcome = try run("\(stream) \(arguments)", input: noise(64), in: folder)
      XCTAssertEqual(outcome.exitCode, code, arguments)
      XCTAssertEqual(outcome.errorLines.count, 1)
      XCTAssertEqual(outcome.outputData, Data())
    }
  }

  func test_help_namesOptionsAndCommands() throws {
    let outcome = try run("--help")
    XCTAssertEqual(outcome.exitCode, 0)
    for word in ["--rate", "--control", "--events", "intensity", "delivery", "hearing-device"] {
      XCTAssertTrue(outcome.output.contains(word), word)
    }
    XCTAssertTrue(outcome.output.split(separator: "\n").allSatisfy { $0.count <= 100 })
  }
}
