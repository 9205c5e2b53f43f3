import Foundation
import HearingAudio
import HearingFitting
import TestSupport
import XCTest

/// Runs `hearing-render` with input and output files.
final class HearingRenderTests: HearingRenderTestCase {
  func test_withoutFileArguments_rendersTheIncludedRecording() throws {
    // In an unoptimised build, rendering ten seconds with level-dependent gains is too slow for a
    // test.
    #if DEBUG
      let arguments = ["--rule", "nal-rp", "--full-scale-spl", "100", "--quiet"]
    #else
      let arguments: [String] = []
    #endif
    let folder = try ScratchFolder()
    let outcome = try run(arguments, in: folder)
    XCTAssertEqual(outcome.exitCode, 0, outcome.errors)
    let reader = try WAVReader(path: folder.path("hearing-render-output.wav"))
    XCTAssertEqual(reader.format.encoding, .int16)
    XCTAssertEqual(reader.format.channelCount, 2)
    XCTAssertGreaterThan(try XCTUnwrap(reader.frameCount), 9 * 48_000)
    XCTAssertEqual(outcome.errors, "", "no progress bar in a pipe")
  }

  func test_dataSheet_showsMeasuredGainsAndMaximumOutput() throws {
    let folder = try ScratchFolder()
    let outcome = try run(
      ["--audiogram", "N3", "--data-sheet", "sheet.html", "--json"], in: folder)
    XCTAssertEqual(outcome.exitCode, 0, outcome.errors)
    struct Sheet: Decodable {
      struct EarSheet: Decodable {
        let ear: String
        let frequencies: [Double]
        let gainAt50: [Double]
        let outputAt90: [Double]
        let permittedOutput: [Double]
        let maximumCouplerOutput: Double
        let latency: Double
        let roughness: Double
      }
      let ears: [EarSheet]
    }
    let sheet = try JSONDecoder().decode(Sheet.self, from: Data(outcome.output.utf8))
    XCTAssertEqual(sheet.ears.map(\.ear), ["right", "left"])
    let preset = try Fitting.techLevel(3).preset(for: HearingProfile(left: .n3, right: .n3))
    let ear = try XCTUnwrap(sheet.ears.last)
    for (frequency, gain) in zip(ear.frequencies, ear.gainAt50)
    where [1000, 4000].contains(frequency) {
      let prescribed = try XCTUnwrap(preset.left).gain(at: frequency, inputLevel: 50)
      XCTAssertEqual(gain, prescribed, accuracy: 1.5, "\(frequency) Hz")
      XCTAssertGreaterThan(gain, 10)
    }
    for (index, frequency) in ear.frequencies.enumerated() {
      let permitted = try XCTUnwrap(preset.left).largestOutput(at: frequency, in: .freeField)
      XCTAssertEqual(ear.permittedOutput[index], permitted, accuracy: 1e-9)
      XCTAssertLessThanOrEqual(ear.outputAt90[index], permitted + 1, "\(frequency) Hz")
    }
    XCTAssertLessThanOrEqual(ear.maximumCouplerOutput, 117)
    XCTAssertEqual(ear.latency, 0)
    XCTAssertLessThanOrEqual(ear.roughness, 6)
    let page = String(decoding: try folder.data("sheet.html"), as: UTF8.self)
    for word in [
      "Tones of 90 dB SPL above the preset's limit", "OSPL90", "Both ears", "21 CFR 800.30",
      "Assumed",
    ] {
      XCTAssertTrue(page.contains(word), word)
    }
    XCTAssertFalse(
      FileManager.default.fileExists(atPath: folder.path("hearing-render-output.wav")))
    for arguments in [["in.wav", "out.wav"], ["--report", "r.html"]] {
      XCTAssertEqual(
        try run(arguments + ["--data-sheet", "sheet.html"], in: folder).exitCode, 64)
    }
  }

  func test_dataSheet_namesTheIntensity_andShowsEarsWithOtherMaximumOutputsSeparately() throws {
    let folder = try ScratchFolder()
    let ears = try [100.0, 110].map {
      try EarPreset(frequencies: [1_000], gains: [5], maximumOutput: $0)
    }
    try Preset(left: ears[0], right: ears[1]).jsonData()
      .write(to: folder.url.appendingPathComponent("preset.json"))
    let outcome = try run(
      ["--preset", "preset.json", "--intensity", "0.8", "--data-sheet", "sheet.html"], in: folder)
    XCTAssertEqual(outcome.exitCode, 0, outcome.errors)
    let page = String(decoding: try folder.data("sheet.html"), as: UTF8.self)
    XCTAssertTrue(page.contains("preset.json with 80 % of each prescribed gain in dB"))
    XCTAssertFalse(page.contains("Both ears"))
    for level in ["104.0", "100.0"] { XCTAssertTrue(page.contains("<td>\(level)</td>"), level) }
  }

  func test_withoutARule_usesTheRuleComfortableSpeechAtTechLevel3() throws {
    let folder = try ScratchFolder()
    try writeTone(1_000, amplitudes: [0.01], rate: 8_000, seconds: 0.1, to: folder.path("in.wav"))
    let outcome = try run(["in.wav", "out.wav", "--max-output-spl", "117"], in: folder)
    XCTAssertEqual(outcome.exitCode, 0, outcome.errors)
    XCTAssertTrue(
      outcome.output.contains("rule comfortable-speech, program speech, tech level 3"),
      outcome.output)
    let linear = try run(["in.wav", "out.wav", "--rule", "nal-r"], in: folder)
    XCTAssertTrue(linear.output.contains("rule nal-r, program speech, tech level 2"), linear.output)
  }

  func test_printedTable_showsEqualPrescribedAndMeasuredGains() throws {
    let folder = try ScratchFolder()
    try writeTone(
      1_000, amplitudes: [0.01], rate: 22_050, seconds: 0.05, to: folder.path("in.wav"))
    let outcome = try run(
      ["in.wav", "out.wav", "--audiogram", "N2", "--rule", "nal-r"], in: folder)
    for word in [
      "in.wav → out.wav", "audiogram N2, rule nal-r, program speech, tech level 2",
      "right prescribed  measured  left prescribed  measured", "\nright ",
      "limiter", "0:00.05 rendered", "times real time",
    ] {
      XCTAssertTrue(outcome.output.contains(word), "\(word): \(outcome.output)")
    }
    let rows = outcome.output.split(separator: "\n").compactMap { line -> [Double]? in
      let cells = line.split(separator: " ").compactMap { Double($0) }
      return cells.count == 6 ? cells : nil
    }
    // These are the NAL-R gains (Byrne & Dillon 1986) for the standard audiogram N2. The mean
    // threshold of N2 at 0.5, 1 and 2 kHz is 26.67 dB HL.
    let nalR = [
      250: 0, 500: 2.2, 750: 7.975, 1_000: 12.75, 1_500: 14.3, 2_000: 13.85, 3_000: 14.4,
      4_000: 15.95, 6_000: 17.5, 8_000: 17.5,
    ]
    XCTAssertEqual(rows.count, 10)
    for row in rows {
      let expected = try XCTUnwrap(nalR[Int(row[0])])
      for figure in row[2...] { XCTAssertEqual(figure, expected, accuracy: 0.06, "\(row)") }
    }
  }

  func test_output_hasThePrescribedGainOfEachEar() throws {
    let folder = try ScratchFolder()
    let profile = HearingProfile(left: .n2, right: .s1)
    try profile.jsonData().write(to: folder.url.appendingPathComponent("ears.json"))
    try writeTone(4_000, amplitudes: [0.003, 0.001], to: folder.path("in.wav"))
    let outcome = try run(
      ["in.wav", "out.wav", "--audiogram", "ears.json", "--rule", "half-gain", "--quiet"],
      in: folder)
    XCTAssertEqual(outcome.exitCode, 0, outcome.errors)
    XCTAssertEqual(outcome.output, "")
    let input = try WAVReader(path: folder.path("in.wav")).readSamples()
    let output = try WAVReader(path: folder.path("out.wav")).readSamples()
    XCTAssertEqual(gain(from: input[0], to: output[0]), 22.5, accuracy: 0.1)
    XCTAssertEqual(gain(from: input[1], to: output[1]), 27.5, accuracy: 0.1)
  }

  func test_monoInput_at8kHz_isRenderedForBothEars() throws {
    let folder = try ScratchFolder()
    try writeTone(1_000, amplitudes: [0.003], rate: 8_000, to: folder.path("in.wav"))
    let outcome = try run(
      ["in.wav", "out.wav", "--rule", "half-gain", "--intensity", "0.5", "--quiet"], in: folder)
    XCTAssertEqual(outcome.exitCode, 0, outcome.errors)
    let input = try WAVReader(path: folder.path("in.wav")).readSamples()
    let output = try WAVReader(path: folder.path("out.wav")).readSamples()
    XCTAssertEqual(output.count, 2)
    XCTAssertEqual(output[0], output[1])
    XCTAssertEqual(gain(from: input[0], to: output[0]), 10, accuracy: 0.1)
  }

  func test_inputFromAPipe_isRenderedWithTheDefaultFullScale() throws {
    let folder = try ScratchFolder()
    try writeTone(1_000, amplitudes: [0.01], to: folder.path("in.wav"))
    let outcome = try runWithPipe(["--rule", "half-gain", "--keep-scale"], in: folder)
    XCTAssertEqual(outcome.exitCode, 0, outcome.errors)
    XCTAssertTrue(outcome.output.contains("full scale (RMS 1.0): 100.0 dB SPL"), outcome.output)
    let output = try WAVReader(path: folder.path("out.wav")).readSamples()
    XCTAssertEqual(
      gain(from: try WAVReader(path: folder.path("in.wav")).readSamples()[0], to: output[0]), 20,
      accuracy: 0.1)
  }

  func test_truncatedFile_isRenderedWithAWarning_evenWithQuiet() throws {
    let folder = try ScratchFolder()
    try writeTone(1_000, amplitudes: [0.01], to: folder.path("whole.wav"))
    try folder.data("whole.wav").dropLast(10_000)
      .write(to: folder.url.appendingPathComponent("in.wav"))
    let outcome = try run(
      ["in.wav", "out.wav", "--rule", "half-gain", "--quiet"], in: folder)
    XCTAssertEqual(outcome.exitCode, 0)
    XCTAssertEqual(outcome.errorLines.count, 1)
    XCTAssertTrue(outcome.errors.contains("in.wav"), outcome.errors)
  }

  func test_assumptionsAboutTheAudiogram_arePrinted_andShownInTheReport() throws {
    let folder = try ScratchFolder()
    try Data("500,20\n1000,40\n4000,60\n".utf8)
      .write(to: folder.url.appendingPathComponent("mine.csv"))
    let outcome = try run(
      ["--audiogram", "mine.csv", "--report", "page.html", "--quiet"], in: folder)
    XCTAssertEqual(outcome.exitCode, 0, outcome.errors)
    XCTAssertTrue(outcome.errors.contains("mine.csv: no header: read as"), outcome.errors)
    let page = String(decoding: try folder.data("page.html"), as: UTF8.self)
    XCTAssertTrue(page.contains("Notes: no header: read as frequency in Hz and left ear in dB HL"))
  }

  func test_audiogramFileWithSeveralDates_rendersWithTheNewest() throws {
    let folder = try ScratchFolder()
    func audiogram(_ day: String, _ level: Int) -> String {
      """
      <Audiogram type="HKDataTypeIdentifierAudiogram" startDate="\(day) 12:00:00 +0000">
      <SensitivityPoint frequencyValue="1000" frequencyUnit="Hz" leftEarValue="\(level)" \
      leftEarUnit="dBHL" rightEarValue="\(level)" rightEarUnit="dBHL"/></Audiogram>

      """
    }
    try folder.write(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<HealthData locale=\"en\">\n"
        + audiogram("2024-05-01", 30) + audiogram("2025-03-14", 50)
        + audiogram("2024-11-02", 40) + "</HealthData>\n", to: "export.xml")
    try folder.write("frequency_hz,left_dbhl,right_dbhl\n1000,50,50\n", to: "newest.csv")
    try writeTone(1_000, amplitudes: [0.01, 0.01], to: folder.path("in.wav"))
    for (audiogram, output) in [("export.xml", "a.wav"), ("newest.csv", "b.wav")] {
      let outcome = try run(
        ["in.wav", output, "--audiogram", audiogram, "--rule", "half-gain", "--quiet"],
        in: folder)
      XCTAssertEqual(outcome.exitCode, 0, outcome.errors)
    }
    XCTAssertEqual(try folder.data("a.wav"), try folder.data("b.wav"))
  }

  func test_bypass_doesNotChangeFloatSamples() throws {
    let folder = try ScratchFolder()
    try writeTone(500, amplitudes: [0.9, 0.4], to: folder.path("in.wav"))
    XCTAssertEqual(
      try run(["in.wav", "out.wav", "--rule", "half-gain", "--bypass", "--quiet"], in: folder)
        .exitCode, 0)
    XCTAssertEqual(
      try WAVReader(path: folder.path("out.wav")).readSamples(),
      try WAVReader(path: folder.path("in.wav")).readSamples())
  }

  func test_bypass_doesNotChangeIntegerSamples() throws {
    let folder = try ScratchFolder()
    var generator = SeededGenerator(seed: 13)
    for (encoding, name, scale) in [
      (SampleEncoding.int16, "int16", 0x1p15), (.int24, "int24", 0x1p23),
    ] {
      let edges = [-scale, scale - 1, 0, 1, -1]
      let samples = (0..<2).map { _ in
        (edges
          + (0..<2_000).map { _ in
            Double.random(in: -scale..<scale, using: &generator).rounded(.down)
          })
          .map { Float($0 / scale) }
      }
      try write(samples, rate: 16_000, encoding: encoding, to: folder.path("in.wav"))
      let outcome = try run(
        [
          "in.wav", "out.wav", "--rule", "half-gain", "--bypass", "--output-format", name,
          "--quiet",
        ], in: folder)
      XCTAssertEqual(outcome.exitCode, 0)
      XCTAssertEqual(outcome.errors, "", "nothing clips")
      XCTAssertEqual(try WAVReader(path: folder.path("out.wav")).readSamples(), samples, name)
      XCTAssertEqual(try WAVReader(path: folder.path("in.wav")).readSamples(), samples, name)
    }
  }

  func test_fileRedirectedToStandardInput_isMeasuredLikeAFile() throws {
    let folder = try ScratchFolder()
    try writeTone(1_000, amplitudes: [0.01], rate: 8_000, seconds: 1, to: folder.path("in.wav"))
    let outcome = try run(
      ["/dev/stdin", "out.wav", "--rule", "half-gain"], in: folder, input: "in.wav")
    XCTAssertEqual(outcome.exitCode, 0, outcome.errors)
    XCTAssertTrue(outcome.output.contains("is taken as 65.0 dB SPL"), outcome.output)
  }

  func test_blockSize_doesNotChangeTheOutput() throws {
    let folder = try ScratchFolder()
    try writeTone(700, amplitudes: [0.2], rate: 16_000, seconds: 0.1, to: folder.path("in.wav"))
    for block in ["1", "64", "65536"] {
      XCTAssertEqual(
        try run(["in.wav", "\(block).wav", "--block", block, "--quiet"], in: folder).exitCode, 0)
    }
    XCTAssertEqual(try folder.data("1.wav"), try folder.data("64.wav"))
    XCTAssertEqual(try folder.data("1.wav"), try folder.data("65536.wav"))
  }

  func test_maximumOutput_isNotExceeded_withALargePrescribedGain() throws {
    let folder = try ScratchFolder()
    try writeTone(2_000, amplitudes: [0.5], to: folder.path("in.wav"))
    let outcome = try run(
      [
        "in.wav", "out.wav", "--audiogram", "N7", "--rule", "half-gain", "--full-scale-spl", "100",
        "--max-output-spl", "90",
      ], in: folder)
    XCTAssertEqual(outcome.exitCode, 0, outcome.errors)
    // The ceiling is the peak of a sine of 90 dB SPL. An RMS of 1.0 represents 100 dB SPL.
    let ceiling = Float(2.0.squareRoot() * pow(10, -0.5)) * 1.000_001
    let loudest = try WAVReader(path: folder.path("out.wav")).readSamples().joined().map(abs).max()
    XCTAssertLessThanOrEqual(try XCTUnwrap(loudest), ceiling)
    XCTAssertTrue(outcome.output.contains("% of the time"))
  }

  func test_compare_writesTheOriginalWithTheAttenuationOfTheOutput() throws {
    let folder = try ScratchFolder()
    try writeTone(1_000, amplitudes: [0.4], seconds: 0.5, to: folder.path("in.wav"))
    let outcome = try run(
      [
        "in.wav", "after.wav", "--audiogram", "N3", "--full-scale-spl", "90", "--compare",
        "before.wav",
      ], in: folder)
    XCTAssertEqual(outcome.exitCode, 0, outcome.errors)
    XCTAssertTrue(
      outcome.output.contains("compare before.wav (before) with after.wav (after), at one volume"),
      outcome.output)
    XCTAssertTrue(outcome.output.contains("turn the volume up by"), outcome.output)
    let input = try WAVReader(path: folder.path("in.wav")).readSamples()
    let before = try WAVReader(path: folder.path("before.wav")).readSamples()
    let after = try WAVReader(path: folder.path("after.wav")).readSamples()
    XCTAssertEqual(before.count, 2)
    XCTAssertEqual(before[0].count, after[0].count)
    let scale = before[0][100] / input[0][100]
    XCTAssertLessThan(scale, 1)
    for (original, scaled) in zip(input[0], before[1]) {
      XCTAssertEqual(scaled, original * scale, accuracy: 1e-6)
    }
    let (_, summary) = try jsonSummary(
      ["in.wav", "out.wav", "--audiogram", "N3", "--full-scale-spl", "90", "--json"], in: folder)
    let attenuation = try XCTUnwrap(summary["attenuation"] as? Double)
    XCTAssertEqual(20 * log10(Double(scale)), -attenuation, accuracy: 0.001)
  }

  func test_compareOfFloatsBeyondFullScale_attenuatesSoThatTheOriginalIsNotClipped() throws {
    let folder = try ScratchFolder()
    try writeTone(1_000, amplitudes: [4], seconds: 0.3, to: folder.path("in.wav"))
    let arguments = [
      "in.wav", "out.wav", "--full-scale-spl", "90", "--max-output-spl", "80", "--quiet",
      "--output-format", "int16", "--compare", "before.wav",
    ]
    let outcome = try run(arguments, in: folder)
    XCTAssertEqual(outcome.exitCode, 0)
    XCTAssertEqual(outcome.errors, "")
    let before = try WAVReader(path: folder.path("before.wav")).readSamples()
    let input = try WAVReader(path: folder.path("in.wav")).readSamples()
    for (original, scaled) in zip(input[0], before[1]) {
      XCTAssertEqual(scaled, original / 4, accuracy: 0.001, "not clipped")
    }
    let unscaled = try run(arguments + ["--scale", "0"], in: folder)
    XCTAssertEqual(unscaled.exitCode, 0)
    let pattern = /hearing-render: before.wav: \d+ samples clipped/
    XCTAssertNotNil(unscaled.errors.firstMatch(of: pattern), unscaled.errors)
  }

  func test_bypassWithAHeadphoneCorrection_isAttenuatedAgainstClipping() throws {
    let folder = try ScratchFolder()
    try writeTone(1_000, amplitudes: [0.9], seconds: 0.3, to: folder.path("in.wav"))
    try folder.write(
      "Preamp: 0 dB\nFilter 1: ON PK Fc 1000 Hz Gain 12 dB Q 1\n", to: "ParametricEQ.txt")
    let outcome = try run(
      [
        "in.wav", "out.wav", "--bypass", "--headphone", "ParametricEQ.txt", "--quiet",
        "--output-format", "int16",
      ], in: folder)
    XCTAssertEqual(outcome.exitCode, 0)
    XCTAssertEqual(outcome.errors, "", "nothing clips")
  }

  func test_standardOutputAsOutputFile_containsOnlyTheSound() throws {
    let folder = try ScratchFolder()
    try writeTone(1_000, amplitudes: [0.01], seconds: 0.1, to: folder.path("in.wav"))
    for summary in [[], ["--json"]] {
      let running = try RunningExecutable(
        "hearing-render", ["in.wav", "/dev/stdout", "--rule", "half-gain"] + summary,
        in: folder.url)
      let reader = try WAVReader(bytes: Array(try running.readToEnd()))
      XCTAssertEqual(try running.exitCode(), 0)
      XCTAssertEqual(try reader.readSamples()[0].count, 1_600)
      XCTAssertNotNil(try running.errorLine(), "the summary is on standard error")
    }
  }

  func test_samplesThatAreNotNumbers_areReported_evenWithQuiet() throws {
    let folder = try ScratchFolder()
    let samples: [[Float]] = [[0.1, .nan, 0.1, .infinity]]
    try write(samples, rate: 16_000, to: folder.path("in.wav"))
    let outcome = try run(["in.wav", "out.wav", "--quiet"], in: folder)
    XCTAssertEqual(outcome.exitCode, 0)
    XCTAssertEqual(
      outcome.errors, "hearing-render: in.wav: some samples are not numbers or infinite\n")
  }

  func test_jsonSummary_containsTheDurationOfTheRecording() throws {
    let folder = try ScratchFolder()
    try writeTone(1_000, amplitudes: [0.01], seconds: 0.1, to: folder.path("in.wav"))
    let (_, summary) = try jsonSummary(["in.wav", "out.wav", "--json"], in: folder)
    XCTAssertEqual(summary["seconds"] as? Double, 0.1)
  }

  func test_output_isAttenuatedOnlyAsMuchAsItsPeakRequires() throws {
    let folder = try ScratchFolder()
    for (amplitude, isAttenuated) in [(0.01, false), (0.9, true)] {
      try writeTone(1_000, amplitudes: [amplitude], seconds: 0.3, to: folder.path("in.wav"))
      let (samples, summary) = try jsonSummary(
        ["in.wav", "out.wav", "--rule", "half-gain", "--full-scale-spl", "60", "--json"], in: folder
      )
      let loudest = Double(samples.joined().map(abs).max() ?? 0)
      XCTAssertLessThan(loudest, 1)
      let attenuation = try XCTUnwrap(summary["attenuation"] as? Double)
      XCTAssertEqual(attenuation > 0, isAttenuated)
      if isAttenuated { XCTAssertGreaterThan(loudest, 0.9998) }
      XCTAssertEqual(summary["volume"] != nil, isAttenuated)
    }
  }

  func test_scaleOption_setsTheAttenuation_andAStreamUsesTheWorstCase() throws {
    let folder = try ScratchFolder()
    try writeTone(1_000, amplitudes: [0.01], seconds: 0.1, to: folder.path("in.wav"))
    let arguments = [
      "--rule", "half-gain", "--full-scale-spl", "90", "--max-output-spl", "100", "--json",
    ]
    let (_, fixed) = try jsonSummary(
      ["in.wav", "out.wav", "--scale", "12.5"] + arguments, in: folder)
    XCTAssertEqual(fixed["attenuation"] as? Double, 12.5)
    for (comparison, code) in [([], 0), (["--compare", "before.wav"], 65)] {
      let stream = try runWithPipe(arguments + comparison, in: folder)
      XCTAssertEqual(stream.exitCode, Int32(code), stream.errors)
      if code == 0 {
        // The maximum output of 100 dB SPL is 10 dB above full scale (90 dB SPL). The peak of a
        // sine is 3 dB above its RMS. Therefore the attenuation is 13 dB.
        XCTAssertTrue(stream.output.contains("\"attenuation\" : 13.0"), stream.output)
      } else {
        XCTAssertTrue(stream.errors.contains("--compare"), stream.errors)
      }
    }
  }

  /// Renders `in.wav` through a pipe. The program can read a pipe only once.
  private func runWithPipe(
    _ arguments: [String], in folder: ScratchFolder
  ) throws -> BuiltExecutable.Outcome {
    let pipe = folder.path("pipe")
    XCTAssertEqual(mkfifo(pipe, 0o600), 0)
    defer { unlink(pipe) }
    let sound = try folder.data("in.wav")
    Thread { try? sound.write(to: URL(fileURLWithPath: pipe)) }.start()
    return try run(["pipe", "out.wav"] + arguments, in: folder)
  }

  /// Renders to `out.wav` with `--json`. Returns the samples and the summary.
  private func jsonSummary(
    _ arguments: [String], in folder: ScratchFolder
  ) throws -> (samples: [[Float]], summary: [String: Any]) {
    let outcome = try run(arguments, in: folder)
    XCTAssertEqual(outcome.exitCode, 0, outcome.errors)
    let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
    return (
      try WAVReader(path: folder.path("out.wav")).readSamples(),
      try XCTUnwrap(object as? [String: Any])
    )
  }

  func test_fileOfZeroFrames_givesAValidEmptyOutput() throws {
    let folder = try ScratchFolder()
    try writeTone(1_000, amplitudes: [0], seconds: 0, to: folder.path("in.wav"))
    let outcome = try run(["in.wav", "out.wav", "--quiet"], in: folder)
    XCTAssertEqual(outcome.exitCode, 0, outcome.errors)
    let reader = try WAVReader(path: folder.path("out.wav"))
    XCTAssertEqual(reader.frameCount, 0)
    XCTAssertEqual(reader.format.channelCount, 2)
  }

  func test_gain_atSeveralInputLevels_equalsThePrescribedGain() throws {
    let folder = try ScratchFolder()
    for level in [45.0, 65, 85] {
      // An RMS of 1.0 represents 110 dB SPL. The peak of a sine is √2 times its RMS.
      let amplitude = 2.0.squareRoot() * pow(10, (level - 110) / 20)
      try writeTone(1_000, amplitudes: [amplitude], seconds: 0.5, to: folder.path("in.wav"))
      let outcome = try run(
        [
          "in.wav", "out.wav", "--tech-level", "3", "--full-scale-spl", "110", "--quiet",
          "--keep-scale",
        ], in: folder)
      XCTAssertEqual(outcome.exitCode, 0, outcome.errors)
      let input = try WAVReader(path: folder.path("in.wav")).readSamples()
      let output = try WAVReader(path: folder.path("out.wav")).readSamples()
      let expected = try Fitting.techLevel(3).preset(
        for: HearingProfile(left: .n3, right: .n3)
      ).left?.gain(at: 1_000, inputLevel: level)
      XCTAssertEqual(
        gain(from: input[0], to: output[0]), try XCTUnwrap(expected), accuracy: 0.3, "\(level)")
    }
  }

  func test_presetOption_appliesThePresetOfAFile() throws {
    let folder = try ScratchFolder()
    let ear = try EarPreset(frequencies: [1_000], gains: [12])
    let preset = Preset(left: ear, right: nil)
    try preset.jsonData().write(to: folder.url.appendingPathComponent("preset.json"))
    try writeTone(1_000, amplitudes: [0.01, 0.01], to: folder.path("in.wav"))
    let outcome = try run(
      ["in.wav", "out.wav", "--preset", "preset.json", "--keep-scale"], in: folder)
    XCTAssertEqual(outcome.exitCode, 0, outcome.errors)
    XCTAssertTrue(outcome.output.contains("unknown"), "the right ear is unknown")
    let input = try WAVReader(path: folder.path("in.wav")).readSamples()
    let output = try WAVReader(path: folder.path("out.wav")).readSamples()
    XCTAssertEqual(gain(from: input[0], to: output[0]), 12, accuracy: 0.1)
    XCTAssertEqual(gain(from: input[1], to: output[1]), 0, accuracy: 0.001)
  }

  func test_presetFromAServer_isAppliedAndNamed_andNotCached() throws {
    let folder = try ScratchFolder()
    try writeTone(1_000, amplitudes: [0.01, 0.01], to: folder.path("in.wav"))
    let ear = try EarPreset(frequencies: [1_000], gains: [12])
    let preset = Preset(left: ear, right: ear)
    let server = try FaultServer { _ in
      .answer(
        status: 200, headers: ["Content-Type": "application/json"], body: preset.jsonData())
    }
    let url = try server.url().absoluteString
    let arguments = ["in.wav", "out.wav", "--preset-url", url, "--keep-scale"]
    func run() throws -> BuiltExecutable.Outcome {
      try BuiltExecutable("hearing-render").run(
        arguments, in: folder.url, environment: ["TMPDIR": folder.url.path])
    }
    let outcome = try run()
    XCTAssertEqual(outcome.exitCode, 0, outcome.errors)
    XCTAssertTrue(
      outcome.output.contains("\npreset \(url), no rule, intensity 1.0\n"), outcome.output)
    let input = try WAVReader(path: folder.path("in.wav")).readSamples()
    let output = try WAVReader(path: folder.path("out.wav")).readSamples()
    XCTAssertEqual(gain(from: input[0], to: output[0]), 12, accuracy: 0.1)
    XCTAssertEqual(try folder.names(), ["in.wav", "out.wav"])
    server.stop()
    XCTAssertEqual(try run().exitCode, 66)
  }

  func test_serverWithoutAPreset_isAnError_andNoFileIsWritten() throws {
    let folder = try ScratchFolder()
    try writeTone(1_000, amplitudes: [0.01], to: folder.path("in.wav"))
    let server = try FaultServer { _ in .answer(status: 404, headers: [:], body: Data()) }
    defer { server.stop() }
    let url = try server.url().absoluteString
    for files in [["in.wav", "out.wav"], ["--data-sheet", "page.html"]] {
      let outcome = try run(files + ["--preset-url", url], in: folder)
      XCTAssertEqual(outcome.exitCode, 66, "\(files)")
      XCTAssertEqual(
        outcome.errors, "hearing-render: \"\(url)\": the server has no preset\n")
    }
    XCTAssertEqual(try folder.names(), ["in.wav"])
  }

  func test_otherSoundFormats_areRejected_withTheCommandThatConvertsThem() throws {
    let folder = try ScratchFolder()
    let heads: [(bytes: [UInt8], format: String)] = [
      (Array("ID3\u{4}".utf8), "MP3"), ([0xFF, 0xFB, 0x90, 0], "MP3"),
      (Array("fLaC".utf8), "FLAC"), (Array("OggS".utf8), "Ogg Vorbis"),
      ([0, 0, 0, 0x20] + Array("ftypM4A ".utf8), "AAC"), (Array("FORM".utf8), "AIFF"),
      ([0xFF, 0xF1, 0x4C, 0x80, 0x02, 0x1F], "AAC"),
    ]
    for (bytes, format) in heads {
      let data = Data(bytes + [UInt8](repeating: 0, count: 100))
      try data.write(to: folder.url.appendingPathComponent("song.xyz"))
      let outcome = try run(["song.xyz", "out.wav"], in: folder)
      XCTAssertEqual(outcome.exitCode, 65)
      XCTAssertTrue(outcome.errors.contains(format), outcome.errors)
      XCTAssertTrue(
        outcome.errors.contains("ffmpeg -i \"song.xyz\" \"song.wav\""), outcome.errors)
    }
    try Data("ID3\u{4}".utf8 + [UInt8](repeating: 0, count: 100))
      .write(to: folder.url.appendingPathComponent("song.WAV"))
    let wrongName = try run(["song.WAV", "out.wav"], in: folder)
    XCTAssertTrue(
      wrongName.errors.contains(
        "it is MP3, not WAV; convert it: ffmpeg -i \"song.WAV\" \"song-converted.wav\""),
      wrongName.errors)
    try writeTone(1_000, amplitudes: [0.01], seconds: 0.05, to: folder.path("in.wav"))
    for output in ["out.mp3", "out.M4A", "out.flac"] {
      let outcome = try run(["in.wav", output], in: folder)
      XCTAssertEqual(outcome.exitCode, 64)
      XCTAssertTrue(outcome.errors.contains("only WAV is written"), outcome.errors)
    }
  }

  func test_invalidInput_printsOneErrorLine_andKeepsTheOldOutput() throws {
    let folder = try ScratchFolder()
    try writeTone(1_000, amplitudes: [0.01], rate: 8_000, seconds: 0.05, to: folder.path("in.wav"))
    try writeTone(1_000, amplitudes: [0.01, 0, 0], seconds: 0.05, to: folder.path("three.wav"))
    try writeTone(1_000, amplitudes: [0.01], rate: 4_000, to: folder.path("slow.wav"))
    try folder.write("no sound at all", to: "text.wav")
    try folder.write("{\"format\": \"hearing-profile\"", to: "half.json")
    try folder.write("old", to: "out.wav")
    let cases: [(arguments: [String], code: Int32, word: String)] = [
      (["in.wav"], 64, "OUT.wav"),
      (["in.wav", "out.wav", "more"], 64, "more"),
      (["in.wav", "-"], 64, "/dev/stdout"),
      (["in.wav", "out.wav", "--compare", "none/before.wav"], 73, "\"none/before.wav\""),
      (["in.wav", "out.wav", "--preset-url", "http://127.0.0.1:9/p.json"], 66, "127.0.0.1"),
      (["in.wav", "out.wav", "--loud"], 64, "--loud"),
      (["in.wav", "out.wav", "--intensty", "1"], 64, "did you mean --intensity?"),
      (["in.wav", "in.wav"], 64, "IN.wav and OUT.wav are the same file"),
      (["in.wav", "ears.json", "--audiogram", "ears.json"], 64, "--audiogram and OUT.wav"),
      (["in.wav", "out.wav", "--intensity", "1.5"], 64, "1.5 is outside 0…1"),
      (["in.wav", "out.wav", "--intensity", "nan"], 64, "--intensity"),
      (["in.wav", "out.wav", "--block", "0"], 64, "--block"),
      (["in.wav", "out.wav", "--rule", "berger"], 64, "berger"),
      (["in.wav", "out.wav", "--max-output-spl", "130"], 64, "--max-output-spl"),
      (["in.wav", "out.wav", "--rule", "fig6", "--tech-level", "2"], 64, "fig6"),
      (["in.wav", "out.wav", "--input-spl", "60", "--full-scale-spl", "90"], 64, "--input-spl"),
      (["text.wav", "out.wav"], 65, "byte 0"),
      (["three.wav", "out.wav"], 65, "3 channels"),
      (["slow.wav", "out.wav"], 65, "4000 Hz"),
      (["in.wav", "out.wav", "--audiogram", "half.json"], 65, "half.json"),
      (["in.wav", "out.wav", "--preset", "text.wav"], 65, "text.wav"),
      (["none.wav", "out.wav"], 66, "none.wav"),
      (["in.wav", "out.wav", "--audiogram", "N9"], 66, "N9"),
      (["in.wav", "none/out.wav", "--quiet"], 73, "none/out.wav"),
      (["in.wav", ".", "--quiet"], 73, "folder"),
    ]
    for (arguments, code, word) in cases {
      let outcome = try run(arguments, in: folder)
      XCTAssertEqual(outcome.exitCode, code, "\(arguments): \(outcome.errors)")
      XCTAssertEqual(outcome.errorLines.count, 1, "\(arguments): \(outcome.errors)")
      XCTAssertTrue(outcome.errors.contains(word), "\(arguments): \(outcome.errors)")
      XCTAssertEqual(outcome.output, "", "\(arguments)")
    }
    XCTAssertEqual(String(decoding: try folder.data("out.wav"), as: UTF8.self), "old")
    XCTAssertFalse(try folder.names().contains { $0.hasSuffix(".part") })
  }

  func test_unreliableHearingTest_isReported_andHeadphoneCorrectionIsInTheSummary() throws {
    let folder = try ScratchFolder()
    try writeTone(1000, amplitudes: [0.1], to: folder.url.appendingPathComponent("in.wav").path)
    let record = MeasurementRecord(
      procedure: "bayesian", headphone: "X", notes: [.noResponses, .uncalibrated])
    let profile = HearingProfile(left: .n3, right: .n3, method: .selfTest, record: record)
    try folder.write(String(decoding: profile.jsonData(), as: UTF8.self), to: "test.json")
    try folder.write("Preamp: -6 dB\nFilter 1: ON PK Fc 1000 Hz Gain 5 dB Q 1\n", to: "hp.txt")
    let outcome = try run(
      ["in.wav", "out.wav", "--audiogram", "test.json", "--headphone", "hp.txt"], in: folder)
    XCTAssertEqual(outcome.exitCode, 0, outcome.errors)
    for words in [
      "hearing-render: test.json: The button was never pressed for a tone.",
      "Do not rely on this result", "The headphone is not calibrated",
    ] {
      XCTAssertTrue(outcome.errors.contains(words), outcome.errors)
    }
    XCTAssertTrue(
      outcome.output.contains("headphone correction active: hp.txt"), outcome.output)
    let plain = try run(["in.wav", "out.wav"], in: folder)
    XCTAssertEqual(plain.errors, "")
    XCTAssertFalse(plain.output.contains("headphone correction"), plain.output)
    try folder.write("Hz;left (dB HL)\n500;20\n4000;40\n", to: "ears.csv")
    let refused = try run(["in.wav", "out.wav", "--headphone", "ears.csv"], in: folder)
    XCTAssertEqual(refused.exitCode, 65)
    XCTAssertTrue(refused.errors.contains("not thresholds in dB HL"), refused.errors)
  }
}
