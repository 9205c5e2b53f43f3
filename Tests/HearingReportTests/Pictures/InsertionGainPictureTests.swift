import HearingFitting
import XCTest

@testable import HearingReport

final class InsertionGainPictureTests: XCTestCase {
  func test_everyCurve_passesThroughThePresetsGains() throws {
    let preset = try Fitting.techLevel(3).preset(for: HearingProfile(left: .n3, right: .s2))
    let picture = try ParsedPicture(InsertionGainPicture(preset).svg)
    XCTAssertEqual(picture.points.count, 2 * 3 * 11)
    for (ear, style, isWanted) in [
      (Ear.right, "hp-right", { (box: TextBox) in box.right < 400 }),
      (Ear.left, "hp-left", { (box: TextBox) in box.left > 400 }),
    ] {
      let gains = try XCTUnwrap(preset[ear])
      let low = try picture.position(of: "250", where: isWanted).x
      let high = try picture.position(of: "4000", where: isWanted).x
      let zero = try picture.position(of: "0", where: isWanted).y
      let twenty = try picture.position(of: "20", where: isWanted).y
      for level in PlottedValues.inputLevels {
        for frequency in PlottedValues.frequencies {
          let gain = gains.toneGain(at: frequency, inputLevel: level)
          let title =
            "\(ear.title), \(frequency.readable()) Hz, \(level.readable()) dB SPL: "
            + "\(gain.readable()) dB"
          let point = try XCTUnwrap(picture.points.first { $0.title == title }, title)
          XCTAssertTrue(point.has(class: style))
          XCTAssertEqual(point.x, low + (high - low) * log2(frequency / 250) / 4, accuracy: 0.05)
          XCTAssertEqual(point.y, zero + (twenty - zero) * gain / 20, accuracy: 0.05)
        }
      }
    }
  }

  func test_curves_areLimitedByTheMaximumOutput_exceptThatOfALinearPreset() throws {
    func titles(_ ear: EarPreset) throws -> [String] {
      try ParsedPicture(InsertionGainPicture(Preset(left: ear, right: nil)).svg).points
        .map(\.title)
    }
    let compressive = try titles(
      EarPreset(
        frequencies: [1000], inputLevels: [40, 80], gains: [[30, 30]], attackTimes: [0.005],
        releaseTimes: [0.1], maximumOutput: 75))
    XCTAssertTrue(compressive.contains("Left ear, 1000 Hz, 50 dB SPL: 25 dB"), "\(compressive)")
    XCTAssertTrue(compressive.contains("Left ear, 1000 Hz, 65 dB SPL: 10 dB"), "\(compressive)")
    let linear = try titles(EarPreset(frequencies: [1000], gains: [30], maximumOutput: 75))
    XCTAssertTrue(linear.contains("Left ear, 1000 Hz, every level: 30 dB"), "\(linear)")
  }

  func test_inputLevels_differInLineStyleAndSymbol() throws {
    let preset = try Fitting.techLevel(3).preset(for: HearingProfile(left: .n3))
    let picture = try ParsedPicture(InsertionGainPicture(preset).svg)
    let dashes = picture.root.all("polyline").map { $0.attributes["class"] ?? "" }
    XCTAssertEqual(Set(dashes).count, 3)
    let symbols = Set(
      picture.points.map { point in
        point.element.children.filter { $0.name != "title" }.map {
          $0.attributes.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }
        }
      })
    XCTAssertEqual(symbols.count, 3)
    for level in ["50", "65", "80"] {
      XCTAssertTrue(picture.visibleText.contains("Input \(level) dB SPL"))
    }
  }

  func test_linearPreset_hasOneCurveForAllLevels() throws {
    let preset = try Fitting.techLevel(2).preset(for: HearingProfile(left: .n3, right: .n3))
    let picture = try ParsedPicture(InsertionGainPicture(preset).svg)
    XCTAssertEqual(picture.root.all("polyline").count, 2)
    XCTAssertTrue(picture.visibleText.contains("The same at every input level"))
    XCTAssertFalse(picture.visibleText.contains("dB SPL"))
  }

  func test_oneLinearEar_isNamedInTheLegend() throws {
    let left = try Fitting.techLevel(3).preset(for: HearingProfile(left: .n3)).left
    let right = try Fitting.techLevel(2).preset(for: HearingProfile(right: .n3)).right
    let picture = try ParsedPicture(InsertionGainPicture(Preset(left: left, right: right)).svg)
    XCTAssertTrue(picture.visibleText.contains("Right ear: the same at every level"))
    XCTAssertEqual(picture.root.all("polyline").count, 4)
  }

  func test_unknownEar_hasAnEmptyLabelledPanel() throws {
    let preset = try Fitting.techLevel(3).preset(for: HearingProfile(right: .n3))
    let picture = try ParsedPicture(InsertionGainPicture(preset).svg)
    XCTAssertTrue(picture.points.allSatisfy { $0.has(class: "hp-right") })
    XCTAssertEqual(picture.texts.filter { $0.text == "Not measured: no gain" }.count, 1)
  }

  func test_presetOfManyFrequencies_makesAPictureOfBoundedSize() throws {
    let frequencies = (0..<50_000).map { 100 + Double($0) / 5 }
    let ear = try EarPreset(frequencies: frequencies, gains: frequencies.map { _ in 10 })
    let picture = InsertionGainPicture(Preset(left: ear, right: ear)).svg
    XCTAssertLessThan(picture.data.count, 100_000)
  }
}
