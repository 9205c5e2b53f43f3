import Foundation
import XCTest

@testable import HearingReport

final class SpectrogramPictureTests: XCTestCase {
  private let edges: [Double] = [125, 250, 500, 1000, 2000]

  /// A spectrogram with ten columns of 1 s. From 2 s to 6 s, the second frequency band is loud.
  /// After processing, this band is 20 dB quieter.
  private func picture() -> SpectrogramPicture {
    let columns = { (level: Double) in
      (0..<10).map { column in
        (2..<6).contains(column) ? [-Double.infinity, level, -90, -50] : [-90, -90, -90, -50]
      }
    }
    return SpectrogramPicture(
      edges: edges, secondsPerColumn: 1, before: columns(-10), after: columns(-30))
  }

  /// The rectangles of the path with the colour class `tone`. Each has the coordinates left,
  /// bottom, top and right.
  private func rectangles(
    _ parsed: ParsedPicture, tone: Int
  ) -> [(left: Double, low: Double, high: Double, right: Double)] {
    parsed.root.all("path").filter { $0.has(class: "hp-tone-\(tone)") }.flatMap { path in
      (path.attributes["d"] ?? "").split(separator: "z").compactMap { part in
        let numbers = part.split { "MVH ".contains($0) }.compactMap { Double($0) }
        return numbers.count == 5 ? (numbers[0], numbers[1], numbers[2], numbers[3]) : nil
      }
    }
  }

  func test_level_isDrawnAtItsTimeAndFrequency_inTheColourOfItsLevelRange() throws {
    for isNarrow in [false, true] {
      let parsed = try ParsedPicture(picture().svg, isNarrow: isNarrow)
      // The maximum level is −10 dB and has the strongest colour (11). A level that is 20 dB lower
      // has a colour that is four steps weaker (7).
      for (tone, isPanel) in [(11, { $0.top < 300 }), (7, { $0.top > 300 })]
        as [(Int, (TextBox) -> Bool)]
      {
        let boxes = rectangles(parsed, tone: tone)
        let box = try XCTUnwrap(boxes.first, "tone \(tone)")
        XCTAssertEqual(boxes.count, 1, "one rectangle for joined columns")
        let two = try parsed.position(of: "2", where: isPanel).x
        let six = try parsed.position(of: "6", where: isPanel).x
        XCTAssertEqual(box.left, two, accuracy: 0.1)
        XCTAssertEqual(box.right, six, accuracy: 0.1)
        XCTAssertEqual(box.low, try parsed.position(of: "250", where: isPanel).y, accuracy: 0.1)
        XCTAssertEqual(box.high, try parsed.position(of: "500", where: isPanel).y, accuracy: 0.1)
      }
      // The band with a level of −50 dB is visible for the whole time, before and after processing.
      XCTAssertEqual(rectangles(parsed, tone: 3).count, 2)
      // Levels of −90 dB and silence are not drawn.
      let all = (0..<12).reduce(0) { $0 + rectangles(parsed, tone: $1).count }
      XCTAssertEqual(all, 4)
    }
  }

  func test_silence_isLabelledAndDescribed() throws {
    let columns = [[Double]](repeating: [-.infinity, -.infinity, -.infinity, .nan], count: 3)
    let picture = SpectrogramPicture(
      edges: edges, secondsPerColumn: 0.5, before: columns, after: [])
    let parsed = try ParsedPicture(picture.svg)
    XCTAssertEqual(parsed.texts.filter { $0.text == "Silent" }.count, 2)
    XCTAssertEqual(parsed.root.all("path").count, 0)
    XCTAssertTrue(parsed.root.all("desc")[0].text.contains("before silent, after silent"))
  }

  func test_mutedTime_inTheLowerPanel_isMarkedAsMuted() throws {
    let loud = Array(repeating: [-10.0, -20, -30, -40], count: 10)
    let silent = Array(repeating: [Double](repeating: -.infinity, count: 4), count: 10)
    var picture = SpectrogramPicture(
      edges: edges, secondsPerColumn: 1, before: loud, after: silent, muted: [2..<6])
    for isNarrow in [false, true] {
      let parsed = try ParsedPicture(picture.svg, isNarrow: isNarrow)
      let marks = parsed.root.all("rect").filter { $0.has(class: "hp-band-6") }
      XCTAssertEqual(marks.count, 1)
      let two = try parsed.position(of: "2", where: { $0.top > 300 })
      XCTAssertEqual(Double(marks[0].attributes["x"] ?? "") ?? -1, two.x, accuracy: 0.1)
      XCTAssertGreaterThan(Double(marks[0].attributes["y"] ?? "") ?? 0, 300, "the lower panel")
      XCTAssertEqual(parsed.texts.filter { $0.text == "Muted" }.count, 1)
      XCTAssertFalse(parsed.texts.contains { $0.text == "Silent" })
    }
    picture.muted = []
    XCTAssertTrue(try ParsedPicture(picture.svg).texts.contains { $0.text == "Silent" })
  }

  func test_timeLabels_doNotOverlap_forAnyLength() throws {
    for seconds in [0.02, 0.7, 3, 59, 61, 3600, 100_000.0] {
      for isNarrow in [false, true] {
        let picture = SpectrogramPicture(
          edges: edges, secondsPerColumn: seconds / 100,
          before: Array(repeating: [-10, -20, -30, -40], count: 100), after: [])
        let parsed = try ParsedPicture(picture.svg, isNarrow: isNarrow)
        let top = try XCTUnwrap(parsed.texts.first { $0.text == "0" }).top
        let numbers = parsed.texts.filter { abs($0.top - top) < 1 }
        XCTAssertGreaterThan(numbers.count, 2, "\(seconds) s")
        XCTAssertLessThan(numbers.count, 13, "\(seconds) s")
        for (one, next) in zip(numbers, numbers.dropFirst()) {
          XCTAssertLessThan(one.right, next.left, "\(seconds) s: \(one.text) \(next.text)")
        }
        for text in parsed.texts where text.top >= 0 {
          XCTAssertGreaterThanOrEqual(text.left, 0, "\(seconds) s: \(text.text)")
        }
      }
    }
  }

  func test_colourBrightness_changesMonotonicallyWithTheLevel_inBothColourSchemes() throws {
    for (palette, sign) in [(Palette.light, -1.0), (.dark, 1)] {
      XCTAssertEqual(palette.tones.count, SpectrogramPicture.stepCount)
      let lights = try palette.tones.map { tone in
        let value = try XCTUnwrap(Int(tone.dropFirst(), radix: 16))
        return 0.3 * Double(value >> 16) + 0.59 * Double(value >> 8 & 255)
          + 0.11 * Double(value & 255)
      }
      for (one, next) in zip(lights, lights.dropFirst()) {
        XCTAssertGreaterThan(sign * (next - one), 3)
      }
    }
  }
}
