import HearingPieces
import XCTest

final class PitchClassTests: XCTestCase {
  func test_initExactly_acceptsOnly0To11() {
    XCTAssertEqual((-20...20).compactMap { PitchClass(exactly: $0)?.semitones }, Array(0...11))
  }

  func test_transposed_staysInTheOctave() {
    for pitchClass in PitchClass.allCases {
      for interval in -30...30 {
        let expected = (pitchClass.semitones + interval + 120) % 12
        XCTAssertEqual(pitchClass.transposed(by: interval).semitones, expected)
      }
    }
    XCTAssertEqual(PitchClass(11).transposed(by: .max).semitones, (11 + Int.max % 12) % 12)
  }

  func test_pitchClassSet_ignoresOtherBits() {
    XCTAssertEqual(PitchClassSet(rawValue: 0xFFFF), PitchClassSet(rawValue: 0x0FFF))
    XCTAssertTrue(PitchClassSet(rawValue: 0b1_0000).contains(4 as PitchClass))
    XCTAssertFalse(PitchClassSet(rawValue: 0b1_0000).contains(3 as PitchClass))
  }

  func test_minorScale_isTheMajorScaleThreeSemitonesAbove() {
    for root in PitchClass.allCases {
      XCTAssertEqual(
        PitchClassSet.minorScale(root), .majorScale(root.transposed(by: 3)))
    }
  }

  func test_pitchClassSet_isInitializedFromNumbersOrTwelveBooleans() {
    let triad: PitchClassSet = [0, 4, 7]
    XCTAssertEqual(triad, PitchClassSet([.init(0), .init(4), .init(7)] as [PitchClassSet]))
    XCTAssertEqual(triad.rawValue, 0b1001_0001)
    XCTAssertEqual(
      PitchClassSet([
        true, false, true, false, true, true, false, true, false, true, false, true,
      ]), .majorScale(0))
  }
}
