import HearingPieces
import XCTest

final class PitchClassTests: XCTestCase {
  func test_initExactly_acceptsOnly0To11() {
    XCTAssertEqual((-20...20).compactMap { PitchClass(exactly: $0)?.semitones }, Array(0...11))
  }

  func test_transposed_byAnyInterval_returnsAPitchClassFrom0To11() {
    for pitchClass in PitchClass.allCases {
      for interval in -30...30 {
        let expected = (pitchClass.semitones + interval + 120) % 12
        XCTAssertEqual(pitchClass.transposed(by: interval).semitones, expected)
      }
    }
    XCTAssertEqual(PitchClass(11).transposed(by: .max).semitones, (11 + Int.max % 12) % 12)
  }

  func test_setOfPitchClasses_fromTwelveBooleans_equalsTheSetFromNumbers() {
    let triad: Set<PitchClass> = [0, 4, 7]
    let flags = (0..<12).map { [0, 4, 7].contains($0) }
    XCTAssertEqual(Set(pitchClasses: flags), triad)
    XCTAssertEqual(triad.map(\.name).sorted(), ["C", "E", "G"])
  }

  func test_setOfBooleans_isNotInterpretedAsPitchClasses() {
    XCTAssertEqual(Set([true, false, true]).count, 2)
  }
}
