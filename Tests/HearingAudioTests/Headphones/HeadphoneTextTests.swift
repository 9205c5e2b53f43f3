import Foundation
import HearingAudio
import HearingDSP
import HearingProcessing
import SignalTestSupport
import TestSupport
import XCTest

/// Tests files that describe a headphone or its correction.
final class HeadphoneTextTests: XCTestCase {
  private let parametric = """
    Preamp: -6.2 dB
    Filter 1: ON LSC Fc 105 Hz Gain 6.2 dB Q 0.70
    Filter 2: ON PK Fc 212 Hz Gain -1.0 dB Q 0.50
    Filter 3: OFF PK Fc 900 Hz Gain -9.0 dB Q 0.50
    Filter 4: ON HSC Fc 10000 Hz Gain -2.5 dB Q 0.70
    """

  private func failure(_ text: String) -> EqualizerError? {
    do throws(EqualizerError) {
      _ = try HeadphoneCorrection(text: text)
      return nil
    } catch {
      return error
    }
  }

  func test_init_parametricEQ_readsThePreampAndEveryEnabledFilter() throws {
    for text in [
      parametric, parametric.replacingOccurrences(of: "\n", with: "\r\n"), "\u{FEFF}" + parametric,
    ] {
      let correction = try HeadphoneCorrection(text: text)
      XCTAssertEqual(correction.preampGain, -6.2)
      XCTAssertEqual(
        correction.sections,
        [
          .init(.lowShelf, frequency: 105, gain: 6.2, quality: 0.7),
          .init(.peak, frequency: 212, gain: -1, quality: 0.5),
          .init(.highShelf, frequency: 10_000, gain: -2.5, quality: 0.7),
        ])
    }
  }

  func test_init_graphicEQ_isFittedWithinHalfADecibel() throws {
    let known = try HeadphoneCorrection(text: parametric)
    let list = (0..<127).map { index -> String in
      let frequency = 20 * pow(1_000, Double(index) / 126)
      return "\(frequency) \(known.response(at: frequency))"
    }
    let correction = try HeadphoneCorrection(
      text: "GraphicEQ: " + list.joined(separator: "; "))
    var errors: [Double] = []
    for index in 0...100 {
      let frequency = 50 * pow(200, Double(index) / 100)
      errors.append(correction.response(at: frequency) - known.response(at: frequency))
    }
    let mean = errors.reduce(0, +) / Double(errors.count)
    let spread = errors.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(errors.count)
    XCTAssertLessThan(spread.squareRoot(), 0.5)
  }

  func test_init_measuredResponseWithAStep_correctsTheStep() throws {
    let lines = (0..<100).map { index -> String in
      let frequency = 20 * pow(1_000, Double(index) / 99)
      return "\(frequency),\(frequency > 1_000 ? 86 : 80),0"
    }
    let correction = try HeadphoneCorrection(
      text: "frequency,raw,error\n" + lines.joined(separator: "\n"))
    let step = correction.response(at: 300) - correction.response(at: 3_500)
    XCTAssertEqual(step, 6, accuracy: 0.5)
  }

  func test_init_invalidText_failsWithTheLineNumberOrTheInvalidValue() {
    XCTAssertEqual(
      failure("Preamp: -6 dB\nFilter 1: ON XX Fc 100 Hz Gain 1 dB Q 1"),
      .invalidLine(2, expected: "Filter 1: ON PK Fc 105 Hz Gain -1.2 dB Q 0.70"))
    XCTAssertEqual(
      failure("Filter 1: ON PK Fc 100 Hz Gain 1 dB"),
      .invalidLine(1, expected: "Filter 1: ON PK Fc 105 Hz Gain -1.2 dB Q 0.70"))
    XCTAssertEqual(
      failure("Filter 1: ON PK Fc 100 Hz Gain 99 dB Q 1"),
      .invalidCorrection(.gainOutOfRange(section: 0, gain: 99)))
    XCTAssertEqual(failure("Preamp: dB"), .invalidLine(1, expected: "Preamp: -6.2 dB"))
    XCTAssertEqual(
      failure("Filter 1: ON PK Fc nan Hz Gain 1 dB Q 1")?.description.isEmpty, false)
    XCTAssertEqual(failure(""), .pointCountOutOfRange(0))
    XCTAssertEqual(
      failure("100,1\n50,2"), .frequencyNotRising(index: 1, frequency: 50))
    XCTAssertEqual(failure("100,1\n200,x"), .invalidLine(2, expected: "1000,-2.5"))
    XCTAssertNotNil(failure("GraphicEQ: 20"))
    XCTAssertNotNil(failure(String(repeating: "x", count: 2_000_000)))
  }

  func test_init_textWithRandomBytes_neverTraps() {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      var bytes = Array(parametric.utf8)
      for _ in 0..<Int.random(in: 1...20, using: &generator) {
        let position = Int.random(in: 0..<bytes.count, using: &generator)
        bytes[position] = UInt8.random(in: 0...255, using: &generator)
      }
      _ = failure(String(decoding: bytes, as: UTF8.self))
    }
  }

  func test_bind_withAHeadphoneCorrection_keepsItWhenTheSessionChanges() async throws {
    let controller = ProcessingController(scheduler: ManualScheduler())
    let session = try controller.activate(
      presetDataSource: .default(
        DefaultPresetDataSource(fitting: .techLevel(2), profile: nil)))
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: 48_000, channelCount: 2))
    let correction = try HeadphoneCorrection(text: parametric)
    let binding = session.bind(to: processor, headphone: correction)
    session.isEnabled.apply(true)
    session.intensity.apply(0.5)
    XCTAssertEqual(binding.headphone, correction)

    func gain(at frequency: Double) -> Double {
      let tone = Signals.sine(frequency, rate: 48_000, count: 48_000, amplitude: 0.01)
      let block = AudioBlock([tone, tone])
      processor.process(block)
      return 10 * log10(Signals.power(block.samples[0][24_000...]) / 5e-5)
    }
    XCTAssertEqual(gain(at: 100), correction.response(at: 100), accuracy: 0.05)
    binding.headphone = nil
    _ = gain(at: 100)
    XCTAssertEqual(gain(at: 100), 0, accuracy: 0.05)
  }

  func test_csvWithDecimalCommas_isRead() throws {
    let expected = try FrequencyCurve(csv: "frequency,raw\n500.5,-2.5\n4000,3\n")
    for text in [
      "500,5;-2,5\n4000;3\n", "frequency;raw\n500,5; -2,5\n4000;3,0\n", "500,5\t-2,5\n4000\t3\n",
      "500.5,-2.5;\n4000,3\t\n",
    ] {
      XCTAssertEqual(try FrequencyCurve(csv: text), expected, text)
    }
  }

  func test_filtersForOneChannel_failWithTheLineNumber() throws {
    let filter = "Filter 1: ON PK Fc 105 Hz Gain -1.2 dB Q 0.70\n"
    XCTAssertNoThrow(try HeadphoneCorrection(text: "Channel: all\n" + filter))
    for line in ["Channel: L\n", "channel: 1 2\n"] {
      XCTAssertThrowsError(try HeadphoneCorrection(text: filter + line + filter)) {
        XCTAssertEqual(
          $0 as? EqualizerError, .invalidLine(2, expected: "Channel: all"))
      }
    }
  }

  func test_settingsOfRoomEQWizard_areRead() throws {
    let text = """
      Filter Settings file

      Room EQ V5.20
      Equaliser: Generic
      Filter  1: ON  PK       Fc   63.00 Hz  Gain -5.30 dB  Q  4.50
      Filter  2: ON  None
      """
    let section = HeadphoneCorrection.Section(.peak, frequency: 63, gain: -5.3, quality: 4.5)
    XCTAssertEqual(try HeadphoneCorrection(text: text).sections, [section])
  }

  func test_csvWithDecimalCommasAndSpaces_isRead() throws {
    let curve = try FrequencyCurve(csv: "Freq(Hz) SPL(dB)\n20,0 75,1 0,0\n 315,5 -2,25 0,0\n")
    XCTAssertEqual(curve, try FrequencyCurve(frequencies: [20, 315.5], levels: [75.1, -2.25]))
    XCTAssertEqual(
      try FrequencyCurve(csv: "20 75,1\n1000 -2,5 0\n"),
      try FrequencyCurve(frequencies: [20, 1_000], levels: [75.1, -2.5]))
    XCTAssertEqual(
      try FrequencyCurve(csv: "20, 75.1, 0\n310,-2 5\n"),
      try FrequencyCurve(frequencies: [20, 310], levels: [75.1, -2]))
  }

  func test_csvInKilohertz_isReadIfTheHeaderHasTheUnit_andOtherwiseFails() throws {
    let points = "0.02,75.1\n0.5,74\n18,70\n"
    for header in ["kHz,dB", "Frequency (kHz),SPL (dB, 0 at 1000 Hz)"] {
      XCTAssertEqual(
        try FrequencyCurve(csv: header + "\n" + points),
        try FrequencyCurve(frequencies: [20, 500, 18_000], levels: [75.1, 74, 70]), header)
    }
    XCTAssertEqual(
      try FrequencyCurve(csv: "Hz,dB re 1 kHz\n500,74\n"),
      try FrequencyCurve(frequencies: [500], levels: [74]))
    let expected = "1000,-2.5: frequencies in Hz, some of them within 50…10000"
    XCTAssertEqual(failure(points), .invalidLine(1, expected: expected))
    XCTAssertEqual(failure("frequency,raw\n" + points), .invalidLine(2, expected: expected))
  }

  func test_csvWithDecimalCommasBetweenCommas_fails_insteadOfReadingDecimalsAsLevels() throws {
    for header in ["", "frequency,raw\n"] {
      XCTAssertEqual(
        failure(header + "22,05,0,60\n1000,00,-2,50\n"),
        .invalidLine(header.isEmpty ? 1 : 2, expected: "22.05,0.6 or 22,05;0,6"))
    }
    XCTAssertEqual(
      try FrequencyCurve(csv: "frequency,raw,error,target\n20,75,0,0\n1000,74,0,0\n"),
      try FrequencyCurve(frequencies: [20, 1_000], levels: [75, 74]))
    XCTAssertEqual(
      try FrequencyCurve(csv: "20,75.5,0\n1000,0,0,0\n"),
      try FrequencyCurve(frequencies: [20, 1_000], levels: [75.5, 0]))
  }

  func test_textWithoutACorrection_failsWithTheLinesThatAreExpected() {
    for text in ["", "# a comment\n", "{\"version\": 1}\n", "<html>\n"] {
      XCTAssertEqual(
        failure(text)?.description,
        "no ParametricEQ, GraphicEQ or frequency and level lines found", text)
    }
  }

  func test_graphicEQForOneChannel_orWithOtherFilters_failsWithTheLineNumber() throws {
    let curve = "GraphicEQ: 20 0; 1000 10; 20000 0\n"
    let filter = "Filter 1: ON PK Fc 3000 Hz Gain -10 dB Q 1\n"
    XCTAssertNoThrow(try HeadphoneCorrection(text: "Preamp: -6 dB\nChannel: all\n" + curve))
    let once = "# GraphicEQ: 20 -0.5; 21 -0.4"
    let cases: [(text: String, error: EqualizerError)] = [
      ("Channel: L\n" + curve + "Channel: R\n" + curve, .invalidLine(1, expected: "Channel: all")),
      (curve + curve, .invalidLine(2, expected: once)),
      ("Preamp: -6 dB\n" + filter + curve, .invalidLine(3, expected: once)),
      (
        "Preamp: -6 dB\nGraphicEQ: 20 0,5",
        .invalidLine(2, expected: "GraphicEQ: 20 -0.5; 21 -0.4")
      ),
    ]
    for (text, error) in cases { XCTAssertEqual(failure(text), error, text) }
  }

  func test_csvWithThresholdsInHearingLevel_isRejectedAsAFrequencyResponse() throws {
    for header in ["frequency_hz,left_dbhl,right_dbhl", "Hz;left (dB HL);right (dB HL)"] {
      XCTAssertThrowsError(try FrequencyCurve(csv: header + "\n500,20,30\n4000,40,50\n")) {
        XCTAssertTrue("\($0)".hasPrefix("line 1: "), "\($0)")
        XCTAssertTrue("\($0)".contains("not thresholds in dB HL"), "\($0)")
      }
    }
    XCTAssertNoThrow(try FrequencyCurve(csv: "frequency,raw\n500,20\n4000,40\n"))
  }
}
