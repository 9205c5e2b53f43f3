import HearingFitting
import XCTest

@testable import HearingReport

final class SpectrumPictureTests: XCTestCase {
  private let frequencies: [Double] = [
    50, 63, 80, 100, 125, 160, 200, 250, 315, 400, 500, 630, 800, 1000, 1250, 1600, 2000, 2500,
    3150, 4000, 5000, 6300, 8000, 10_000, 12_500, 16_000, 20_000,
  ]

  private func levels(from first: Double, by step: Double) -> [Double] {
    frequencies.indices.map { first + step * Double($0) }
  }

  private func picture() -> SpectrumPicture {
    SpectrumPicture(
      frequencies: frequencies,
      before: [.left: levels(from: 62, by: -1.3), .right: levels(from: 60, by: -1)],
      after: [.left: levels(from: 62, by: 0.2), .right: levels(from: 60, by: 0.3)])
  }

  func test_everyCurve_passesThroughItsLevels() throws {
    let parsed = try ParsedPicture(picture().svg)
    XCTAssertEqual(parsed.points.count, 4 * frequencies.count)
    for (ear, isWanted) in [
      (Ear.right, { (box: TextBox) in box.bottom < 340 }),
      (Ear.left, { (box: TextBox) in box.top > 340 }),
    ] {
      let low = try parsed.position(of: "125", where: isWanted).x
      let high = try parsed.position(of: "8000", where: isWanted).x
      let thirty = try parsed.position(of: "30", where: isWanted).y
      let sixty = try parsed.position(of: "60", where: isWanted).y
      for (name, values) in zip(["before", "after"], picture().curves.map { $0.levels[ear] }) {
        for (frequency, level) in zip(frequencies, try XCTUnwrap(values)) {
          let title =
            "\(ear.title), \(name), \(frequency.readable()) Hz: \(level.readable()) dB SPL"
          let point = try XCTUnwrap(parsed.points.first { $0.title == title }, title)
          XCTAssertEqual(point.x, low + (high - low) * log2(frequency / 125) / 6, accuracy: 0.05)
          XCTAssertEqual(point.y, thirty + (sixty - thirty) * (level - 30) / 30, accuracy: 0.05)
        }
      }
    }
  }

  func test_curvesBeforeAndAfterProcessing_differInLineStyleAndSymbol() throws {
    let parsed = try ParsedPicture(picture().svg)
    XCTAssertEqual(parsed.lines(class: "hp-dash-soft").count, 2)
    XCTAssertEqual(parsed.lines(class: "hp-right").count, 1)
    XCTAssertEqual(parsed.lines(class: "hp-left").count, 1)
    let before = parsed.points.filter { $0.title.contains("before") }
    XCTAssertTrue(before.allSatisfy { $0.has(class: "hp-any") })
    let symbols = Set(
      parsed.points.map { point in
        point.element.children.filter { $0.name != "title" }.map { $0.attributes["class"] ?? "" }
      })
    XCTAssertEqual(symbols.count, 2)
    for text in ["Before", "After, right ear", "After, left ear"] {
      XCTAssertTrue(parsed.visibleText.contains(text), text)
    }
  }

  func test_silence_interruptsTheCurve_andVeryLowLevelsAreOmitted() throws {
    let picture = SpectrumPicture(
      frequencies: [125, 250, 500, 1000, 2000, 4000],
      before: [.left: [60, 61, -.infinity, 62, 63, -40]],
      after: [.left: Array(repeating: -.infinity, count: 6)])
    let parsed = try ParsedPicture(picture.svg)
    XCTAssertEqual(parsed.lines(class: "hp-dash-soft").map(\.count), [2, 2])
    XCTAssertEqual(parsed.points.count, 4)
    XCTAssertTrue(parsed.root.all("desc")[0].text.contains("500 Hz silent, silent"))
    XCTAssertTrue(parsed.visibleText.contains("Nothing measured"), "the right ear")
  }

  func test_levels_areDrawnDownTo80DecibelsBelowTheMaximum() throws {
    for highest in [58.0, 60, 61.5, 67.9, 68, 69] {
      let picture = SpectrumPicture(
        frequencies: [250, 500, 1000, 2000],
        before: [.left: [highest, highest - 80, highest - 80.1, highest - 79.9]],
        after: [.left: [highest - 10, highest - 20, highest - 30, highest - 40]])
      let parsed = try ParsedPicture(picture.svg)
      let before = parsed.points.filter { $0.title.contains("before") }
      XCTAssertEqual(
        before.map { $0.title.contains("1000 Hz") }, [false, false, false], "\(highest) dB SPL")
      let axis = try parsed.position(of: "Frequency (Hz)")
      XCTAssertTrue(parsed.points.allSatisfy { $0.y < axis.y }, "within the panel")
    }
  }

  func test_onlySilence_givesAnEmptyGrid() throws {
    let silent = [-Double.infinity, -.infinity]
    let picture = SpectrumPicture(
      frequencies: [500, 1000], before: [.left: silent, .right: silent],
      after: [.left: silent, .right: silent])
    XCTAssertEqual(try ParsedPicture(picture.svg).points.count, 0)
    let nothing = SpectrumPicture(frequencies: [500], before: [:], after: [:])
    XCTAssertEqual(
      try ParsedPicture(nothing.svg).texts.map(\.text).filter { $0 == "Nothing measured" }.count, 2)
  }
}
