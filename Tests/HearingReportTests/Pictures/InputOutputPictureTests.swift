import HearingFitting
import XCTest

@testable import HearingReport

final class InputOutputPictureTests: XCTestCase {
  func test_everyBand_hasAPanelWithOneCurvePerEar() throws {
    let preset = try Fitting.techLevel(3).preset(for: HearingProfile(left: .n3, right: .s2))
    let picture = try ParsedPicture(InputOutputPicture(preset).svg)
    XCTAssertEqual(picture.lines(class: "hp-left").count, 6)
    XCTAssertEqual(picture.lines(class: "hp-right").count, 6)
    for frequency in InputOutputPicture.usualFrequencies {
      XCTAssertTrue(picture.texts.contains { $0.text == "\(frequency.readable()) Hz" })
    }
  }

  func test_curve_isInputPlusGainLimitedToTheMaximumOutput() throws {
    let ear = try EarPreset(
      frequencies: [1000], inputLevels: [40, 80], gains: [[30, 10]], maximumOutput: 95)
    let picture = try ParsedPicture(
      InputOutputPicture(Preset(left: ear, right: nil), frequencies: [1000]).svg)
    let line = try XCTUnwrap(picture.lines(class: "hp-left").first)
    let frame = try XCTUnwrap(picture.root.all("rect").first { $0.has(class: "hp-frame") })
    let left = try XCTUnwrap(frame.number("x"))
    let side = try XCTUnwrap(frame.number("width"))
    let bottom = try XCTUnwrap(frame.number("y")) + side
    let levels = line.map { ((($0.x - left) / side * 120), (bottom - $0.y) / side * 120) }
    let expected: [(Double, Double)] = [(0, 30), (40, 70), (80, 90), (85, 95), (120, 95)]
    XCTAssertEqual(levels.count, expected.count)
    for (level, expected) in zip(levels, expected) {
      XCTAssertEqual(level.0, expected.0, accuracy: 0.02)
      XCTAssertEqual(level.1, expected.1, accuracy: 0.02)
    }
    XCTAssertTrue(picture.visibleText.contains("Maximum (95 dB SPL)"))
  }

  func test_bandMaximum_limitsTheCurve_andIsDrawnAsADottedLine() throws {
    let ear = try EarPreset(
      frequencies: [1000, 4000], inputLevels: [40, 80], gains: [[30, 10], [30, 10]],
      maximumOutput: 95, maximumOutputs: [90, 70])
    let picture = try ParsedPicture(
      InputOutputPicture(Preset(left: ear, right: nil), frequencies: [4000]).svg)
    let frame = try XCTUnwrap(picture.root.all("rect").first { $0.has(class: "hp-frame") })
    let height = try XCTUnwrap(frame.number("height"))
    let bottom = try XCTUnwrap(frame.number("y")) + height
    let line = try XCTUnwrap(picture.lines(class: "hp-left").first)
    let highest = try XCTUnwrap(line.map(\.y).min())
    XCTAssertEqual((bottom - highest) / height * 120, 70, accuracy: 0.02)
    let limit = try XCTUnwrap(picture.root.all("line").first { $0.has(class: "hp-limit") })
    XCTAssertEqual(
      (bottom - (try XCTUnwrap(limit.number("y1")))) / height * 120, 70, accuracy: 0.02)
    XCTAssertTrue(picture.visibleText.contains("Maximum (70 dB SPL)"))
    let both = InputOutputPicture(Preset(left: ear, right: nil), frequencies: [1000, 2000, 4000])
    XCTAssertTrue(try ParsedPicture(both.svg).visibleText.contains("Maximum (70 to 90 dB SPL)"))
    XCTAssertTrue(both.svg.summary.contains("4000 Hz 70, 70, 70, at most 70"), both.svg.summary)
  }

  func test_curve_agreesWithThePresetEverywhere() throws {
    let preset = try Fitting.techLevel(3).preset(for: HearingProfile(left: .n4))
    let ear = try XCTUnwrap(preset.left)
    for frequency in InputOutputPicture.usualFrequencies {
      let kinks = ear.outputKinks(at: frequency, within: 0...120)
      for step in 0...480 {
        let input = Double(step) / 4
        let next = try XCTUnwrap(kinks.firstIndex { $0 >= input })
        let (to, from) = (kinks[next], kinks[max(0, next - 1)])
        let outputs = [from, to].map { $0 + ear.toneGain(at: frequency, inputLevel: $0) }
        let fraction = to > from ? (input - from) / (to - from) : 1
        let drawn = outputs[0] + fraction * (outputs[1] - outputs[0])
        XCTAssertEqual(
          drawn, input + ear.toneGain(at: frequency, inputLevel: input), accuracy: 1e-4,
          "\(frequency)")
      }
    }
  }

  func test_unknownEar_hasNoCurve_andIsNamedInTheLegend() throws {
    let preset = try Fitting.techLevel(3).preset(for: HearingProfile(right: .n3))
    let picture = try ParsedPicture(InputOutputPicture(preset).svg)
    XCTAssertTrue(picture.lines(class: "hp-left").isEmpty)
    XCTAssertTrue(picture.visibleText.contains("Left ear: not measured"))
  }

  func test_differentMaximumOutputs_areBothDrawn() throws {
    let left = try EarPreset(frequencies: [1000], gains: [5], maximumOutput: 90)
    let right = try EarPreset(frequencies: [1000], gains: [5], maximumOutput: 100)
    let picture = try ParsedPicture(
      InputOutputPicture(Preset(left: left, right: right), frequencies: [1000]).svg)
    XCTAssertTrue(picture.visibleText.contains("Maximum (90 and 100 dB SPL)"))
    XCTAssertEqual(picture.root.all("line").filter { $0.has(class: "hp-limit") }.count, 3)
  }
}
