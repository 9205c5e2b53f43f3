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
}
