import XCTest

@testable import HearingFitting

final class AudiogramStandardTests: XCTestCase {
  func test_standardAudiograms_areTenNamedValidAudiograms() throws {
    XCTAssertEqual(
      Audiogram.standards.map(\.name),
      ["N1", "N2", "N3", "N4", "N5", "N6", "N7", "S1", "S2", "S3"])
    for standard in Audiogram.standards {
      XCTAssertEqual(try Audiogram(points: standard.audiogram.points), standard.audiogram)
      XCTAssertEqual(
        standard.audiogram.points.map(\.frequency),
        [250, 375, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000])
    }
  }

  func test_standardNamed_ignoresCase() {
    XCTAssertEqual(Audiogram.standard(named: "N3"), .n3)
    XCTAssertEqual(Audiogram.standard(named: "s1"), .s1)
    XCTAssertNil(Audiogram.standard(named: "N8"))
    XCTAssertNil(Audiogram.standard(named: ""))
  }

  func test_standardAudiograms_haveTheReferenceThresholds() throws {
    let reference = try ReferencePrescriptions.load()
    for (name, audiogram) in reference.audiograms {
      let standard = try XCTUnwrap(Audiogram.standard(named: name))
      XCTAssertEqual(standard.points.map(\.threshold), audiogram.thresholds, name)
    }
  }
}
