import XCTest

@testable import HearingReport

final class TimelinePictureTests: XCTestCase {
  private func picture() -> TimelinePicture {
    TimelinePicture(
      seconds: 10,
      rows: [
        TimelinePicture.Row("Talk", [.init(2..<6), .init(8..<20)]).accented,
        TimelinePicture.Row("Lost", [.init(3..<3.001)]).warning,
        TimelinePicture.Row(
          "Lowered",
          [
            .init(4..<8, text: "10 dB"), .init(8.5..<9, text: "10 dB"),
            .init(9.9..<10, text: "3 dB").shaded(0.3),
          ]),
        TimelinePicture.Row("Never", []),
      ])
  }

  private func bars(_ parsed: ParsedPicture, _ style: String) -> [(left: Double, width: Double)] {
    parsed.root.all("rect").filter { $0.has(class: style) }.map {
      (
        Double($0.attributes["x"] ?? "") ?? -1, Double($0.attributes["width"] ?? "") ?? -1
      )
    }
  }

  func test_bars_areDrawnAtTheirTimes_andEndAtTheEndOfThePicture() throws {
    for isNarrow in [false, true] {
      let parsed = try ParsedPicture(picture().svg, isNarrow: isNarrow)
      func x(_ time: String) throws -> Double { try parsed.position(of: time).x }
      let talk = bars(parsed, "hp-bar-left")
      XCTAssertEqual(talk.count, 2)
      XCTAssertEqual(talk[0].left, try x("2"), accuracy: 0.1)
      XCTAssertEqual(talk[0].left + talk[0].width, try x("6"), accuracy: 0.1)
      XCTAssertEqual(talk[1].left + talk[1].width, try x("10"), accuracy: 0.1)
      // A short event has a minimum width, so that it stays visible.
      let lost = bars(parsed, "hp-bar-right")
      XCTAssertEqual(lost.count, 1)
      XCTAssertEqual(lost[0].width, 1.5, accuracy: 0.01)
      for name in ["Talk", "Lost", "Lowered", "Never"] {
        XCTAssertTrue(parsed.texts.contains { $0.text == name }, name)
      }
      for (index, one) in parsed.texts.enumerated() {
        for other in parsed.texts.dropFirst(index + 1) {
          let overlaps =
            one.left < other.right && other.left < one.right && one.top < other.bottom
            && other.top < one.bottom
          XCTAssertFalse(overlaps, "\(one.text) and \(other.text)")
        }
      }
    }
  }

  func test_legend_namesEveryKindOfBarOnce_inItsShade_evenIfBarsAreShort() throws {
    for isNarrow in [false, true] {
      let parsed = try ParsedPicture(picture().svg, isNarrow: isNarrow)
      let name = try XCTUnwrap(parsed.texts.first { $0.text == "Lowered" })
      for (text, style, count) in [("10 dB", "hp-bar", 2), ("3 dB", "hp-tone-6", 1)] {
        let labels = parsed.texts.filter { $0.text == text }
        XCTAssertEqual(labels.count, 1)
        XCTAssertEqual(labels[0].bottom, name.bottom, "the key follows the name")
        // The picture contains the bars and a sample bar in the key. The sample bar is to the left
        // of its text.
        let drawn = bars(parsed, style)
        XCTAssertEqual(drawn.count, count + 1, text)
        XCTAssertTrue(
          drawn.contains { abs($0.left + 16 - labels[0].left) < 0.1 && $0.width == 11 }, text)
      }
    }
  }

  func test_shade_becomesStrongerWithTheValue_andIsClamped() {
    let styles = [-1, 0, 0.25, 0.5, 1, 2].map { TimelinePicture.Span(0..<1).shaded($0).style }
    XCTAssertEqual(
      styles,
      ["hp-tone-4", "hp-tone-4", "hp-tone-6", "hp-tone-8", "hp-tone-11", "hp-tone-11"])
  }

  func test_legend_omitsLabelsThatDoNotFit() throws {
    let spans = (0..<40).map { TimelinePicture.Span(0..<1, text: "\($0) dB") }
    for isNarrow in [false, true] {
      let svg = TimelinePicture(seconds: 10, rows: [.init("Lowered", spans)]).svg
      let parsed = try ParsedPicture(svg, isNarrow: isNarrow)
      XCTAssertTrue(parsed.texts.contains { $0.text == "0 dB" })
      XCTAssertFalse(parsed.texts.contains { $0.text == "39 dB" })
      XCTAssertTrue(parsed.texts.allSatisfy { $0.right <= (isNarrow ? 360 : 800) })
    }
  }

  func test_summary_describesEveryRow() throws {
    let parsed = try ParsedPicture(picture().svg)
    let text = parsed.root.all("desc")[0].text
    for part in ["10 s", "Talk: 2 times, 16 s", "Never: never"] {
      XCTAssertTrue(text.contains(part), text)
    }
  }

  func test_lastLabel_endsInsideThePicture() throws {
    for seconds in [0.02, 3, 59, 3_600, 86_400] {
      for isNarrow in [false, true] {
        let svg = TimelinePicture(seconds: seconds, rows: [.init("Talk", [])]).svg
        let parsed = try ParsedPicture(svg, isNarrow: isNarrow)
        for text in parsed.texts {
          XCTAssertGreaterThanOrEqual(text.left, 0, "\(seconds) s: \(text.text)")
          XCTAssertLessThanOrEqual(
            text.right, isNarrow ? 360 : 800, "\(seconds) s: \(text.text)")
        }
      }
    }
  }
}
