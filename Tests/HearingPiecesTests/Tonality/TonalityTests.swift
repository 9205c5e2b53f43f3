import Foundation
import HearingPieces
import XCTest

final class TonalityTests: XCTestCase {
  /// The pitch classes of the bits that are set. Bit k represents the pitch class k semitones above
  /// C.
  private static func pitchClasses(_ bits: UInt16) -> Set<PitchClass> {
    Set(PitchClass.allCases.filter { bits >> UInt16($0.semitones) & 1 == 1 })
  }

  func test_coding_ofEveryRootAndPitchClassSet_roundTrips() throws {
    var count = 0
    for root in PitchClass.allCases {
      let all = (0..<UInt16(4096)).map { Tonality.tonal(Self.pitchClasses($0), root: root) }
      let back = try JSONDecoder().decode([Tonality].self, from: JSONEncoder().encode(all))
      XCTAssertEqual(back, all)
      count += Set(back).count
    }
    XCTAssertEqual(count, 12 * 4096)
  }

  func test_coding_ofUnknownAndAtonal_roundTrips() throws {
    let all = [Tonality.unknown, .atonal]
    XCTAssertEqual(
      try JSONDecoder().decode([Tonality].self, from: JSONEncoder().encode(all)), all)
  }

  func test_decoding_ofTheDocumentedJSON_ignoresUnknownFields() throws {
    let text = """
      {"kind": "tonal", "root": 9, "later": 1, "pitchClasses":
        [true, false, true, false, true, true, false, true, false, true, false, true]}
      """
    XCTAssertEqual(try JSONDecoder().decode(Tonality.self, from: Data(text.utf8)), .minorScale(9))
  }

  func test_majorScale_onE_hasItsSevenPitchClasses() {
    // The scale contains the pitch classes E, F♯, G♯, A, B, C♯ and D♯.
    XCTAssertEqual(Tonality.majorScale(4), .tonal([4, 6, 8, 9, 11, 1, 3], root: 4))
  }

  func test_minorScale_hasTheTonesOfTheMajorScaleThreeSemitonesAbove() {
    for root in PitchClass.allCases {
      guard case .tonal(let minor, let minorRoot) = Tonality.minorScale(root),
        case .tonal(let major, _) = Tonality.majorScale(root.transposed(by: 3))
      else { return XCTFail("\(root)") }
      XCTAssertEqual(minor, major)
      XCTAssertEqual(minorRoot, root)
    }
  }

  func test_displayName_isTheMajorScaleOfThePitchClasses_forEveryRoot() {
    XCTAssertEqual(Tonality.majorScale(0).displayName, "C")
    XCTAssertEqual(Tonality.minorScale(9).displayName, "C")
    let names = ["C", "D♭", "D", "E♭", "E", "F", "F♯", "G", "A♭", "A", "B♭", "B"]
    for (scale, name) in names.enumerated() {
      for root in PitchClass.allCases {
        guard case .tonal(let tones, _) = Tonality.majorScale(PitchClass(scale)) else {
          return XCTFail(name)
        }
        XCTAssertEqual(Tonality.tonal(tones, root: root).displayName, name)
      }
    }
  }

  func test_displayName_ofAnyOtherPitchClassSet_isExotic() {
    let names = (0..<UInt16(4096)).map {
      Tonality.tonal(Self.pitchClasses($0), root: 0).displayName
    }
    XCTAssertEqual(names.count { $0 == "Exotic" }, 4096 - 12)
    XCTAssertEqual(Tonality.atonal.displayName, "Atonal")
    XCTAssertEqual(Tonality.unknown.displayName, "Unknown")
  }

  func test_decoding_ofWrongValues_failsAndNamesTheirPath() {
    let scale = "[\(Array(repeating: "true", count: 12).joined(separator: ","))]"
    let cases = [
      (#"{"kind": "modal"}"#, "kind"), (#"{}"#, "kind"), (#"{"kind": 3}"#, "kind"),
      (#"{"kind": "tonal", "root": 0}"#, "pitchClasses"),
      (#"{"kind": "tonal", "root": 0, "pitchClasses": [true]}"#, "pitchClasses"),
      (#"{"kind": "tonal", "root": 12, "pitchClasses": \#(scale)}"#, "root"),
      (#"{"kind": "tonal", "root": -1, "pitchClasses": \#(scale)}"#, "root"),
      (#"{"kind": "tonal", "root": 1.5, "pitchClasses": \#(scale)}"#, "root"),
      (#"{"kind": "tonal", "root": 1e99, "pitchClasses": \#(scale)}"#, "root"),
    ]
    for (text, key) in cases {
      XCTAssertThrowsError(try JSONDecoder().decode(Tonality.self, from: Data(text.utf8)), text) {
        XCTAssertEqual(path(of: $0), key, text)
      }
    }
  }

  private func path(of error: any Error) -> String? {
    switch error as? DecodingError {
    case .dataCorrupted(let context), .typeMismatch(_, let context),
      .valueNotFound(_, let context):
      context.codingPath.last?.stringValue
    case .keyNotFound(let key, _): key.stringValue
    default: nil
    }
  }

  func test_transposed_movesPitchClassesAndRoot_andCanBeReversed() {
    XCTAssertEqual(Tonality.majorScale(0).transposed(by: 4), .majorScale(4))
    XCTAssertEqual(Tonality.minorScale(9).transposed(by: -2), .minorScale(7))
    XCTAssertEqual(Tonality.atonal.transposed(by: 5), .atonal)
    XCTAssertEqual(Tonality.unknown.transposed(by: 5), .unknown)
    for bits in stride(from: UInt16(0), to: 4096, by: 7) {
      let tonality = Tonality.tonal(Self.pitchClasses(bits), root: 3)
      for interval in [-25, -12, -1, 0, 1, 11, 12, 30] {
        let back = tonality.transposed(by: interval).transposed(by: -interval)
        XCTAssertEqual(back, tonality, "\(bits) by \(interval)")
      }
      XCTAssertEqual(tonality.transposed(by: 12), tonality)
    }
  }

  func test_interval_isTheSmallestTranspositionToTheTarget() {
    for root in PitchClass.allCases {
      for other in PitchClass.allCases {
        let (tonality, target) = (Tonality.majorScale(root), Tonality.majorScale(other))
        guard let interval = tonality.interval(to: target) else { return XCTFail("\(root)") }
        XCTAssertTrue((-5...6).contains(interval))
        XCTAssertEqual(tonality.transposed(by: interval), target)
      }
    }
    XCTAssertEqual(Tonality.majorScale(11).interval(to: .minorScale(1)), 2)
    XCTAssertNil(Tonality.unknown.interval(to: .majorScale(0)))
    XCTAssertNil(Tonality.majorScale(0).interval(to: .atonal))
  }
}
