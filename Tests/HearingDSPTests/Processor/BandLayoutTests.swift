import HearingDSP
import XCTest

final class BandLayoutTests: XCTestCase {
  private func failure(_ centers: [Double]) -> BandLayout.Invalid? {
    do throws(BandLayout.Invalid) {
      _ = try BandLayout(centers: centers)
      return nil
    } catch {
      XCTAssertFalse(error.description.contains("\n"))
      return error
    }
  }

  func test_init_invalidCenters_failsWithIndexAndValue() {
    XCTAssertEqual(failure([]), .bandCountOutOfRange(0))
    XCTAssertEqual(
      failure((0..<33).map { 100 + Double($0) }), .bandCountOutOfRange(33))
    XCTAssertEqual(failure([500, 500]), .centerNotRising(band: 1, frequency: 500))
    XCTAssertEqual(failure([500, 1_000, 900]), .centerNotRising(band: 2, frequency: 900))
    XCTAssertEqual(failure([19]), .centerOutOfRange(band: 0, frequency: 19))
    XCTAssertEqual(failure([-1]), .centerOutOfRange(band: 0, frequency: -1))
    XCTAssertEqual(
      failure([100, .infinity]), .centerOutOfRange(band: 1, frequency: .infinity))
    XCTAssertNotNil(failure([.nan]))
    XCTAssertNil(failure([20]))
  }

  func test_standardLayouts_haveTheirNominalCenters() {
    XCTAssertEqual(
      BandLayout.audiometric.centers,
      [250, 500, 750, 1_000, 1_500, 2_000, 3_000, 4_000, 6_000, 8_000])
    XCTAssertEqual(BandLayout.octave.centers, [125, 250, 500, 1_000, 2_000, 4_000, 8_000])
    XCTAssertEqual(BandLayout.thirdOctave.centers.count, 23)
    for (index, center) in BandLayout.thirdOctave.centers.enumerated() {
      let exact = 1_000 * pow(10, Double(index - 10) / 10)
      XCTAssertEqual(center / exact, 1, accuracy: 0.02)
    }
  }

  func test_limitedToASampleRate_replacesCentersThatAreTooHigh() {
    XCTAssertEqual(BandLayout.audiometric.limited(to: 48_000), .audiometric)
    XCTAssertEqual(
      BandLayout.audiometric.limited(to: 8_000)?.centers,
      [250, 500, 750, 1_000, 1_500, 2_000, 3_000, 0.98 * 0.45 * 8_000])
    XCTAssertEqual(BandLayout.audiometric.limited(to: 16_000)?.centers.suffix(2), [6_000, 7_056])
    // The highest supported centre is 6 kHz. A band at 6.08 kHz would be too near.
    XCTAssertEqual(BandLayout.audiometric.limited(to: 13_800)?.centers.last, 6_000)
    XCTAssertNil(BandLayout.audiometric.limited(to: 500))
  }
}
