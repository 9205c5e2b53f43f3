import HearingFitting
import XCTest

@testable import HearingReport

/// Checks that texts, symbols and frames do not overlap in typical pictures.
final class PictureLayoutTests: XCTestCase {
  private static let flagged = try? Audiogram(
    points: [125.0, 250, 500, 1000, 2000, 4000, 8000].map { frequency in
      Audiogram.Point(
        frequency: frequency, threshold: 120, isMasked: frequency < 1000,
        isNoResponse: frequency != 500)
    })

  private static let profiles: [(name: String, profile: HearingProfile)] = {
    let standards = Audiogram.standards
    var profiles = standards.enumerated().flatMap { index, standard in
      let other = standards[(index + 4) % standards.count].audiogram
      return [
        (
          "\(standard.name) both",
          HearingProfile(left: standard.audiogram, right: standard.audiogram)
        ),
        ("\(standard.name) mixed", HearingProfile(left: standard.audiogram, right: other)),
        ("\(standard.name) left", HearingProfile(left: standard.audiogram)),
        ("\(standard.name) right", HearingProfile(right: standard.audiogram)),
      ]
    }
    profiles.append(("none", HearingProfile()))
    profiles.append(("flagged", HearingProfile(left: flagged, right: flagged)))
    let wide = try? Audiogram([100: -10, 12_000: 50, 20_000: 120])
    profiles.append(("wide", HearingProfile(left: wide, right: .n1)))
    return profiles
  }()

  /// The texts that a panel can contain if it shows no data.
  private static let notes = ["Not measured: no gain", "Nothing measured", "Not measured"]

  private struct Sample {
    /// The name of the profile, the kind of picture and the layout.
    let name: String
    let parsed: ParsedPicture
    let isNarrow: Bool
    let width: Double
    let height: Double

    init(_ name: String, _ svg: SVGPicture, isNarrow: Bool) throws {
      self.name = name + (isNarrow ? ", narrow" : "")
      self.isNarrow = isNarrow
      parsed = try ParsedPicture(svg, isNarrow: isNarrow)
      width = try XCTUnwrap(parsed.root.number("width"))
      height = try XCTUnwrap(parsed.root.number("height"))
    }
  }

  /// The pictures of all profiles. They are created and parsed once for all tests. After that, they
  /// never change.
  nonisolated(unsafe) private static let samples: Result<[Sample], any Error> = Result {
    try profiles.flatMap { name, profile in
      // The narrow layout depends on which ears are known. It hardly depends on the thresholds.
      // Therefore some profiles are tested only with the wide layout.
      let layouts = name.hasPrefix("N") && !name.hasPrefix("N3") ? [false] : [false, true]
      return try pictures(of: profile).flatMap { kind, svg in
        try layouts.map { try Sample("\(name), \(kind)", svg, isNarrow: $0) }
      }
    }
  }

  private static func pictures(
    of profile: HearingProfile
  ) throws -> [(name: String, svg: SVGPicture)] {
    var pictures = [
      ("audiogram", AudiogramPicture(profile).svg),
      ("uncertainty", UncertaintyPicture(profile, record: record(of: profile)).svg),
    ]
    pictures.append(
      (
        "audibility",
        AudibilityPicture(
          indices: Ear.clinicalOrder.filter { profile[$0] != nil }.map {
            (ear: $0, before: 0, after: 1)
          }
        ).svg
      ))
    // The layout hardly depends on the tech level. Therefore only one audiogram is drawn with all
    // tech levels.
    let levels = Fitting.knownTechLevels
    for level in profile.left == .n3 ? levels : levels.upperBound...levels.upperBound {
      let preset = try Fitting.techLevel(level).preset(for: profile)
      pictures.append(("gain \(level)", InsertionGainPicture(preset).svg))
      pictures.append(("output \(level)", InputOutputPicture(preset).svg))
    }
    let preset = try PrescriptionRule.halfGain.preset(for: profile)
    pictures.append(
      (
        "twelve panels",
        InputOutputPicture(
          preset, frequencies: (0..<12).map { 31.25 * Double(1 << $0) }, title: "Twelve"
        ).svg
      ))
    // The layout of the spectrum hardly depends on the listener. Therefore two profiles are enough.
    if profile.left == nil || profile.left == .n3 {
      pictures.append(("spectrum", spectrum(of: profile, by: preset).svg))
    }
    return pictures
  }

  private static func record(of profile: HearingProfile) -> MeasurementRecord {
    let points = Ear.allCases.flatMap { ear in
      (profile[ear]?.points ?? []).map { point in
        MeasurementRecord.Threshold(
          ear: ear, frequency: point.frequency, standardDeviation: 3,
          lowest: point.threshold - 5, highest: point.threshold + 5)
      }
    }
    return MeasurementRecord(procedure: "bayesian", headphone: "", thresholds: points)
  }

  /// The spectrum of a sound before and after processing with a preset, for the known ears. The
  /// level of the sound falls with increasing frequency.
  private static func spectrum(of profile: HearingProfile, by preset: Preset) -> SpectrumPicture {
    let frequencies = (0..<30).map { 25 * pow(2, Double($0) / 3) }
    let before = frequencies.map { 70 - 8 * log2($0 / 25) }
    let known = Ear.allCases.filter { profile[$0] != nil }
    return SpectrumPicture(
      frequencies: frequencies,
      before: Dictionary(uniqueKeysWithValues: known.map { ($0, before) }),
      after: Dictionary(
        uniqueKeysWithValues: known.map { ear in
          (
            ear,
            zip(frequencies, before).map { frequency, level in
              level + (preset[ear]?.gain(at: frequency, inputLevel: level) ?? 0)
            }
          )
        }))
  }

  func test_text_neitherOverlapsNorLeavesThePicture() throws {
    for sample in try Self.samples.get() {
      let texts = sample.parsed.texts
      XCTAssertFalse(texts.isEmpty)
      for (index, text) in texts.enumerated() {
        let isInside =
          text.left >= 0 && text.right <= sample.width && text.top >= 0
          && text.bottom <= sample.height
        XCTAssertTrue(isInside, "\(sample.name): \(text) is cut off")
        for other in texts[..<index] where text.overlaps(other) {
          XCTFail("\(sample.name): \(text.text) overlaps \(other.text)")
        }
      }
    }
  }

  func test_text_doesNotOverlapSymbols() throws {
    for sample in try Self.samples.get() {
      let picture = sample.parsed
      for point in picture.points {
        let reach = point.hasArrow ? 17.0 : 8
        for text in picture.texts where text.isWithin(reach, of: point.x, point.y) {
          XCTFail("\(sample.name): \(text.text) overlaps the symbol of \(point.title)")
        }
      }
    }
  }

  func test_picture_noTextOverlapsTheFrameOfAPlot() throws {
    for sample in try Self.samples.get() {
      let picture = sample.parsed
      for frame in picture.root.all("rect") where frame.has(class: "hp-frame") {
        let left = try XCTUnwrap(frame.number("x"))
        let top = try XCTUnwrap(frame.number("y"))
        let right = left + (try XCTUnwrap(frame.number("width")))
        let bottom = top + (try XCTUnwrap(frame.number("height")))
        for text in picture.texts where !Self.notes.contains(text.text) {
          let isOutside =
            text.right <= left || text.left >= right || text.bottom <= top || text.top >= bottom
          XCTAssertTrue(isOutside, "\(sample.name): \(text.text) is inside a frame")
        }
      }
    }
  }

  func test_everythingDrawn_staysWithinItsFrame() throws {
    for sample in try Self.samples.get() {
      let picture = sample.parsed
      let frames = try picture.root.all("rect").filter { $0.has(class: "hp-frame") }.map {
        frame in
        let left = try XCTUnwrap(frame.number("x"))
        let top = try XCTUnwrap(frame.number("y"))
        return (
          left, top, left + (try XCTUnwrap(frame.number("width"))),
          top + (try XCTUnwrap(frame.number("height")))
        )
      }
      let places =
        picture.points.map { ($0.x, $0.y) }
        + picture.root.all("polyline").flatMap { line in
          (line.attributes["points"] ?? "").split(separator: " ").compactMap { pair in
            let numbers = pair.split(separator: ",").compactMap { Double($0) }
            return numbers.count == 2 ? (numbers[0], numbers[1]) : nil
          }
        }
      for (x, y) in places {
        let isInside = frames.contains { left, top, right, bottom in
          left - 0.01 <= x && x <= right + 0.01 && top - 0.01 <= y && y <= bottom + 0.01
        }
        XCTAssertTrue(isInside, "\(sample.name): \(x) \(y)")
      }
    }
  }

  func test_text_isLargeEnoughToRead() throws {
    // The size of the text is checked on pages of two widths: 390 CSS pixels, which is the width of
    // a phone, and the minimum width of the wide layout.
    for sample in try Self.samples.get() {
      let scale = (sample.isNarrow ? 390 - 32 : 784 - 32) / sample.width
      for text in sample.parsed.root.all("text") {
        XCTAssertGreaterThanOrEqual(try XCTUnwrap(text.number("font-size")) * scale, 12)
      }
    }
  }
}
