import HearingFitting
import XCTest

@testable import HearingReport

final class AudiogramPictureTests: XCTestCase {
  func test_everyPoint_hasASymbolAtItsCoordinates() throws {
    for standard in Audiogram.standards {
      let profile = HearingProfile(left: standard.audiogram, right: .n4)
      let picture = try ParsedPicture(AudiogramPicture(profile).svg)
      let (low, high) = (try picture.position(of: "500").x, try picture.position(of: "4000").x)
      let zero = try picture.position(of: "0") { $0.left < 76 }.y
      let hundred = try picture.position(of: "100") { $0.left < 76 }.y
      let points = picture.points.filter { $0.has(class: "hp-left") }
      XCTAssertEqual(points.count, standard.audiogram.points.count)
      for (drawn, point) in zip(points, standard.audiogram.points) {
        let x = low + (high - low) * log2(point.frequency / 500) / 3
        let y = zero + (hundred - zero) * point.threshold / 100
        XCTAssertEqual(drawn.x, x, accuracy: 0.05, "\(standard.name) \(point)")
        XCTAssertEqual(drawn.y, y, accuracy: 0.05, "\(standard.name) \(point)")
      }
    }
  }

  func test_ears_differInSymbolAndLineStyle() throws {
    let picture = try ParsedPicture(AudiogramPicture(HearingProfile(left: .n2, right: .n2)).svg)
    let left = picture.points.filter { $0.has(class: "hp-left") }
    let right = picture.points.filter { $0.has(class: "hp-right") }
    XCTAssertEqual(left.count, 10)
    XCTAssertEqual(right.count, 10)
    XCTAssertTrue(right.allSatisfy { $0.isCircle && $0.paths.isEmpty })
    XCTAssertTrue(left.allSatisfy { !$0.isCircle && $0.paths == ["M-6 -6L6 6M6 -6L-6 6"] })
    XCTAssertEqual(picture.lines(class: "hp-dash-left").count, 1)
    XCTAssertEqual(picture.lines(class: "hp-right").count, 1)
    XCTAssertTrue(picture.visibleText.contains("Left ear"))
    XCTAssertTrue(picture.visibleText.contains("Right ear"))
  }

  func test_line_passesThroughThePoints() throws {
    let picture = try ParsedPicture(AudiogramPicture(HearingProfile(right: .s2)).svg)
    let line = try XCTUnwrap(picture.lines(class: "hp-right").first)
    XCTAssertEqual(line.map(\.x), picture.points.map(\.x))
    XCTAssertEqual(line.map(\.y), picture.points.map(\.y))
  }

  func test_pointsWithoutResponse_haveArrowsPointingOutwards_andNoLine() throws {
    let points = [500.0, 1000, 2000, 4000, 8000].map { frequency in
      Audiogram.Point(frequency: frequency, threshold: 110, isNoResponse: frequency == 2000)
    }
    let audiogram = try Audiogram(points: points)
    let picture = try ParsedPicture(
      AudiogramPicture(HearingProfile(left: audiogram, right: audiogram)).svg)
    let silent = picture.points.filter(\.hasArrow)
    XCTAssertEqual(silent.count, 2)
    XCTAssertTrue(silent.allSatisfy { $0.title.contains("2000 Hz: 110 dB HL, no response") })
    for point in silent {
      let tip = try XCTUnwrap(point.paths.last)
      XCTAssertTrue(
        tip.hasPrefix(point.has(class: "hp-right") ? "M-6 6L-16 16" : "M6 6L16 16"), tip)
    }
    let lines = picture.lines(class: "hp-right")
    XCTAssertEqual(lines.map(\.count), [2, 2])
    for place in lines.joined() { XCTAssertFalse(silent.contains { $0.x == place.x }) }
    XCTAssertTrue(picture.visibleText.contains("Right ear, no response"))
  }

  func test_maskedPoints_areTrianglesForTheRightEar_andSquaresForTheLeftEar() throws {
    let audiogram = try Audiogram(points: [
      .init(frequency: 1000, threshold: 40, isMasked: true),
      .init(frequency: 2000, threshold: 50),
    ])
    let picture = try ParsedPicture(
      AudiogramPicture(HearingProfile(left: audiogram, right: audiogram)).svg)
    let masked = picture.points.filter { $0.title.contains("masked") }
    XCTAssertEqual(masked.count, 2)
    for point in masked {
      let corners = try XCTUnwrap(point.paths.first).filter { "LHV".contains($0) }.count + 1
      XCTAssertEqual(corners, point.has(class: "hp-right") ? 3 : 4)
    }
    XCTAssertTrue(picture.visibleText.contains("Left ear, masked"))
  }

  func test_unknownEar_isNotDrawn_andIsNamedInTheLegend() throws {
    let picture = try ParsedPicture(AudiogramPicture(HearingProfile(left: .n5)).svg)
    XCTAssertTrue(picture.points.allSatisfy { $0.has(class: "hp-left") })
    XCTAssertTrue(picture.lines(class: "hp-right").isEmpty)
    XCTAssertTrue(picture.visibleText.contains("Right ear: not measured"))
  }

  func test_estimatedEar_isMarkedInTheLegend() throws {
    var profile = HearingProfile(left: .n2, right: .n3)
    XCTAssertFalse(
      try ParsedPicture(AudiogramPicture(profile).svg).visibleText.contains("estimated"))
    let left = AudiogramPicture(profile, estimatedEars: [.left])
    XCTAssertTrue(try ParsedPicture(left.svg).visibleText.contains("Left ear, estimated"))
    XCTAssertFalse(try ParsedPicture(left.svg).visibleText.contains("Right ear, estimated"))
    profile.method = .estimate
    let both = try ParsedPicture(AudiogramPicture(profile).svg).visibleText
    XCTAssertEqual(both.components(separatedBy: "estimated").count - 1, 2)
  }

  func test_gradeBands_startAtTheLimitsOfTheGrades() throws {
    let picture = try ParsedPicture(AudiogramPicture(HearingProfile()).svg)
    let bands = picture.root.all("rect").filter { ($0.attributes["class"] ?? "").contains("band") }
    XCTAssertEqual(bands.count, 7)
    let twenty = try picture.position(of: "20") { $0.left < 76 }.y
    let eighty = try picture.position(of: "80") { $0.left < 76 }.y
    for (band, edge) in zip(bands.dropFirst(), [20.0, 35, 50, 65, 80, 95]) {
      let y = twenty + (eighty - twenty) * (edge - 20) / 60
      XCTAssertEqual(try XCTUnwrap(band.number("y")), y, accuracy: 0.05, "\(edge)")
    }
    for grade in HearingGrade.allCases {
      XCTAssertTrue(picture.visibleText.contains(grade.title))
    }
  }

  func test_oneOctave_isAsWideAs20dBIsHigh() throws {
    let picture = try ParsedPicture(AudiogramPicture(HearingProfile(left: .n1)).svg)
    let octave = try picture.position(of: "2000").x - picture.position(of: "1000").x
    let levels =
      try picture.position(of: "40") { $0.left < 76 }.y
      - picture.position(of: "20") { $0.left < 76 }.y
    XCTAssertEqual(octave, levels, accuracy: 0.05)
  }

  func test_pointsBeyond8kHz_areDrawnWithinTheFrame() throws {
    let audiogram = try Audiogram([100: -10, 1000: 20, 20_000: 120])
    let picture = try ParsedPicture(AudiogramPicture(HearingProfile(right: audiogram)).svg)
    let frame = try XCTUnwrap(picture.root.all("rect").first { $0.has(class: "hp-frame") })
    let left = try XCTUnwrap(frame.number("x"))
    let right = left + (try XCTUnwrap(frame.number("width")))
    XCTAssertEqual(picture.points.count, 3)
    for point in picture.points {
      XCTAssertTrue((left + 10...right - 10).contains(point.x), point.title)
    }
  }

  func test_equalProfiles_makeEqualPictures() {
    let profile = HearingProfile(left: .s1, right: .n7)
    XCTAssertEqual(AudiogramPicture(profile).svg.data, AudiogramPicture(profile).svg.data)
  }
}
