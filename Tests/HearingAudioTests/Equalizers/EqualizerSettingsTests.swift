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
        correction.response(at: center), target(center), accuracy: 0.5, "\(name), \(center) Hz",
        line: line)
    }
    XCTAssertLessThanOrEqual(correction.sections.count, 10, name, line: line)
  }

  func test_init_preset_givesSectionsWithThePresetsGainAtEachBandCentre() throws {
    let pairs: [(Audiogram, Audiogram, Double)] = [
      (.n1, .n6, 65), (.s2, .s2, 50), (.n7, .s3, 80), (.s1, .n4, 65),
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

  func test_parametricEQ_writtenAndReadAgain_hasTheSameResponse() throws {
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

  func test_init_fileName_choosesTheFormat() {
    XCTAssertEqual(EqualizerFormat(fileName: "My ParametricEQ.txt"), .parametricEQ)
    XCTAssertEqual(EqualizerFormat(fileName: "graphiceq.TXT"), .graphicEQ)
    XCTAssertEqual(EqualizerFormat(fileName: "config.txt"), .equalizerAPO)
    XCTAssertEqual(EqualizerFormat(fileName: "a.yaml"), .camillaDSP)
    XCTAssertEqual(EqualizerFormat(fileName: "a.json"), .easyEffects)
    XCTAssertNil(EqualizerFormat(fileName: "a.wav"))
  }
}
