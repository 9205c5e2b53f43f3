import Foundation
import HearingAudio
import HearingDSP
import HearingFitting
import XCTest

final class EqualizerSettingsTests: XCTestCase {
  private func preset(_ left: Audiogram?, _ right: Audiogram?) throws -> Preset {
    try Fitting.techLevel(3).preset(for: HearingProfile(left: left, right: right))
  }

  private func assertGains(
    _ correction: HeadphoneCorrection, _ target: (Double) -> Double, _ name: String,
    line: UInt = #line
  ) {
    for center in BandLayout.audiometric.centers {
      XCTAssertEqual(
        correction.response(at: center), target(center), accuracy: 0.1, "\(name), \(center) Hz",
        line: line)
    }
    XCTAssertLessThanOrEqual(correction.sections.count, 10, name, line: line)
  }

  func test_init_preset_givesSectionsWithThePresetsGainAtEachBandCentre() throws {
    let pairs: [(Audiogram, Audiogram, Double)] = [
      (.n1, .n6, 65), (.s2, .s2, 50), (.n7, .s3, 80), (.s1, .n4, 65), (.s3, .n5, 25),
    ]
    for (left, right, level) in pairs {
      let preset = try preset(left, right)
      let settings = EqualizerSettings(preset: preset, inputLevel: level)
      for (ear, sections) in [(Ear.left, settings.left), (.right, settings.right)] {
        let stored = try XCTUnwrap(preset[ear])
        assertGains(sections, { stored.gain(at: $0, inputLevel: level) }, "\(ear) at \(level)")
      }
      XCTAssertEqual(settings.left.preampGain, settings.right.preampGain)
    }
  }

  func test_response_belowAndAboveTheAudiometricFrequencies_staysNearThePreset() throws {
    let presets: [(Audiogram, Double)] = [
      (.n6, 80), (.n7, 65), (.n3, 65), (.s1, 50), (.s3, 65), (.s2, 80),
    ]
    for (audiogram, level) in presets {
      let preset = try preset(audiogram, audiogram)
      let settings = EqualizerSettings(preset: preset, inputLevel: level)
      let ear = try XCTUnwrap(preset.left)
      for frequency in [20, 31.5, 50, 80, 125, 180, 10_000, 12_500, 16_000] {
        XCTAssertEqual(
          settings.left.response(at: frequency), ear.gain(at: frequency, inputLevel: level),
          accuracy: frequency < 250 ? 1 : 2.5, "\(frequency) Hz at \(level) dB SPL")
      }
    }
  }

  func test_parametricEQ_roundTrip_keepsTheResponse() throws {
    let settings = EqualizerSettings(preset: try preset(.n3, .n3))
    let read = try HeadphoneCorrection(text: settings.text(.parametricEQ))
    XCTAssertEqual(read.preampGain, settings.left.preampGain, accuracy: 0.005)
    XCTAssertEqual(read.sections.count, settings.left.sections.count)
    for frequency in stride(from: 50.0, to: 16_000, by: 50) {
      XCTAssertEqual(
        read.response(at: frequency), settings.left.response(at: frequency), accuracy: 0.1)
    }
    XCTAssertEqual(read.parametricEQ, try settings.text(.parametricEQ))
  }

  func test_text_formatWithOneCurveForBothEars_usesTheEarWithTheSmallerGain() throws {
    let preset = try preset(.n1, .n5)
    let settings = EqualizerSettings(preset: preset)
    let left = try XCTUnwrap(preset.left)
    let read = try HeadphoneCorrection(parametricEQ: settings.text(.parametricEQ))
    assertGains(read, { left.gain(at: $0, inputLevel: 65) }, "both ears")
    XCTAssertTrue(try settings.text(.graphicEQ).hasPrefix("GraphicEQ: 20.0 "))
  }

  func test_presetOfOneEar_otherEarHasNoGain_andFormatsWithOneCurveFail() throws {
    let settings = EqualizerSettings(preset: try preset(.n4, nil))
    XCTAssertEqual(settings.right.response(at: 2_000), 0)
    for format in EqualizerFormat.allCases {
      if format.hasCurveForEachEar {
        XCTAssertFalse(try settings.text(format).isEmpty)
      } else {
        XCTAssertThrowsError(try settings.text(format)) { error in
          XCTAssertEqual(error as? EqualizerError, .unknownEar)
        }
      }
    }
  }

  /// The values of a key in lines such as `"key": value,` or `key: value}`.
  private func values(_ key: String, in lines: [Substring]) -> [String] {
    lines.compactMap { line in
      // A line may contain the key twice: for an outer object and for a value inside this object.
      // The text after the last occurrence is the value.
      let text = line.replacing("\"", with: "").replacing("{", with: " ")
      let parts = text.components(separatedBy: " \(key): ")
      return parts.count > 1 ? String(parts[parts.count - 1].prefix { !",}".contains($0) }) : nil
    }
  }

  private func assertLines(
    _ lines: [Substring], describe correction: HeadphoneCorrection, frequency: String,
    types: [HeadphoneCorrection.Section.Kind: String], line: UInt = #line
  ) {
    XCTAssertFalse(correction.sections.isEmpty, line: line)
    let sections = correction.sections
    let expected = [sections.map(\.frequency), sections.map(\.gain), sections.map(\.quality)]
    for (key, expected) in zip([frequency, "gain", "q"], expected) {
      let found = values(key, in: lines).compactMap { Double($0) }
      XCTAssertEqual(found.count, expected.count, key, line: line)
      for (one, other) in zip(found, expected) {
        XCTAssertEqual(one, other, accuracy: key == frequency ? 0.051 : 0.0051, key, line: line)
      }
    }
    XCTAssertEqual(values("type", in: lines), sections.map { types[$0.kind] ?? "" }, line: line)
  }

  private func lines(_ text: String) -> [Substring] { text.split(separator: "\n") }

  func test_text_equalizerAPO_hasTheFiltersOfEachEarInItsChannel() throws {
    let settings = EqualizerSettings(preset: try preset(.n1, .n5))
    let channels = try settings.text(.equalizerAPO).components(separatedBy: "Channel: ")
    XCTAssertEqual(channels.dropFirst().map { $0.prefix(2) }, ["L\n", "R\n"])
    for (text, correction) in zip(channels.dropFirst(), [settings.left, settings.right]) {
      XCTAssertEqual(String(text.dropFirst(2)), correction.parametricEQ)
    }
    XCTAssertNotEqual(settings.left, settings.right)
  }

  func test_text_camillaDSP_hasTheFiltersOfEachEarInItsChannel() throws {
    let settings = EqualizerSettings(preset: try preset(.n1, .n5))
    let lines = lines(try settings.text(.camillaDSP))
    for (channel, (ear, correction)) in [("left", settings.left), ("right", settings.right)]
      .enumerated()
    {
      let own = lines.filter { $0.hasPrefix("  \(ear)_") }
      assertLines(
        own.filter { $0.contains("Biquad") }, describe: correction, frequency: "freq",
        types: [.lowShelf: "Lowshelf", .peak: "Peaking", .highShelf: "Highshelf"])
      XCTAssertEqual(
        own.filter { $0.contains("type: Gain") },
        ["  \(ear)_gain: {type: Gain, parameters: {gain: \(correction.preampGain)0}}"])
      let names = (["gain"] + correction.sections.indices.map { "\($0 + 1)" })
        .map { "\(ear)_\($0)" }.joined(separator: ", ")
      XCTAssertTrue(
        lines.contains("  - {type: Filter, channels: [\(channel)], names: [\(names)]}"), ear)
    }
  }

  func test_text_easyEffects_hasTheBandsOfEachEarInItsChannel() throws {
    let settings = EqualizerSettings(preset: try preset(.n1, .n5))
    let text = try settings.text(.easyEffects)
    XCTAssertNotNil(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let lines = lines(text)
    XCTAssertEqual(
      values("input-gain", in: lines).compactMap { Double($0) }, [settings.left.preampGain])
    XCTAssertEqual(settings.left.preampGain, settings.right.preampGain)
    XCTAssertEqual(values("split-channels", in: lines), ["true"])
    let middle = try XCTUnwrap(lines.firstIndex { $0.contains("\"right\": {") })
    let (before, after) = (lines[..<middle], lines[middle...])
    for (part, correction) in [(before, settings.left), (after, settings.right)] {
      // One channel may have fewer filter sections than the other. The file then contains
      // additional bands without effect for this channel.
      let bands = part.filter { $0.contains("\"band") }.prefix(correction.sections.count)
      assertLines(
        Array(bands), describe: correction, frequency: "frequency",
        types: [.lowShelf: "Lo-shelf", .peak: "Bell", .highShelf: "Hi-shelf"])
    }
  }

  func test_init_fileName_choosesTheFormat() {
    XCTAssertEqual(EqualizerFormat(fileName: "My ParametricEQ.txt"), .parametricEQ)
    XCTAssertEqual(EqualizerFormat(fileName: "graphiceq.TXT"), .graphicEQ)
    XCTAssertEqual(EqualizerFormat(fileName: "config.txt"), .equalizerAPO)
    XCTAssertEqual(EqualizerFormat(fileName: "a.yaml"), .camillaDSP)
    XCTAssertEqual(EqualizerFormat(fileName: "a.json"), .easyEffects)
    XCTAssertNil(EqualizerFormat(fileName: "a.wav"))
  }
}
