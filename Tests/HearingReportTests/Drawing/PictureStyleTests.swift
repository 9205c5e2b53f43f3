import Foundation
import HearingFitting
@testable import HearingReport
import XCTest

final class PictureStyleTests: XCTestCase {
  func test_text_hasAContrastRatioOfAtLeast4_5OnEveryBackground() throws {
    for palette in [Palette.light, .dark] {
      for ground in palette.bands + [palette.paper] {
        for ink in [palette.ink, palette.quietInk] {
          XCTAssertGreaterThanOrEqual(try contrast(ink, ground), 4.5, "\(ink) on \(ground)")
        }
      }
    }
  }

  func test_curvesAndSymbols_haveAContrastRatioOfAtLeast3OnEveryBackground() throws {
    for palette in [Palette.light, .dark] {
      for ground in palette.bands + [palette.paper] {
        for ink in [palette.left, palette.right, palette.frame] {
          XCTAssertGreaterThanOrEqual(try contrast(ink, ground), 3, "\(ink) on \(ground)")
        }
      }
    }
  }

  func test_everyHearingGrade_hasItsOwnBackgroundColour() {
    for palette in [Palette.light, .dark] {
      XCTAssertEqual(Set(palette.bands).count, HearingGrade.allCases.count)
    }
  }

  func test_pageText_hasAContrastRatioOfAtLeast4_5() throws {
    let light = ["#ffffff", "#fdf3e3", "#eef0f3", "#f6f7f9"]
    let dark = ["#15171b", "#2b2216", "#252930", "#1d2025"]
    for (grounds, inks) in [(light, ["#1a1c1f", "#4a4f57"]), (dark, ["#eceef1", "#b6bcc6"])] {
      for (ground, ink) in grounds.flatMap({ ground in inks.map { (ground, $0) } }) {
        XCTAssertGreaterThanOrEqual(try contrast(ink, ground), 4.5, "\(ink) on \(ground)")
        XCTAssertTrue(
          PageStyle.sheet.contains(ink) && PageStyle.sheet.contains(ground)
            || ground == "#ffffff", "\(ink) or \(ground) is not a colour of the page")
      }
    }
  }

  /// The contrast ratio of two colours according to the Web Content Accessibility Guidelines 2.2.
  private func contrast(_ first: String, _ second: String) throws -> Double {
    let lights = try [luminance(first), luminance(second)].sorted()
    return (lights[1] + 0.05) / (lights[0] + 0.05)
  }

  private func luminance(_ color: String) throws -> Double {
    let bits = try XCTUnwrap(Int(color.dropFirst(), radix: 16))
    let channels = [16, 8, 0].map { shift in
      let value = Double((bits >> shift) & 0xFF) / 255
      return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2]
  }
}
