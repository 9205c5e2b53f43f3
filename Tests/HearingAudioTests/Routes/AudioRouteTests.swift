import HearingAudio
import HearingDSP
import HearingVoice
import XCTest

final class AudioRouteTests: XCTestCase {
  func test_routeKind_withAnUnknownName_isAccepted_andDiffersFromTheKindOther() {
    XCTAssertEqual(
      AudioRoute.Kind.known.map(\.description),
      ["speaker", "wired", "bluetooth", "airplay", "car", "hearing-device", "other"])
    XCTAssertEqual(AudioRoute.Kind(rawValue: "hearing-device"), .hearingDevice)
    XCTAssertNotEqual(AudioRoute.Kind(rawValue: "bone-conduction"), .other)
  }

  func test_init_routeWithACalibration_keepsIt_andTheDefaultIs100dBSPL() {
    XCTAssertEqual(AudioRoute(.speaker).calibration, Calibration(fullScaleSPL: 100))
    let route = AudioRoute(.wired, name: "Kitchen", calibration: Calibration(fullScaleSPL: 112))
    XCTAssertEqual(route.calibration.fullScaleSPL, 112)
    XCTAssertNotEqual(route, AudioRoute(.wired, name: "Kitchen"))
  }

  func test_typicalEchoPath_ofHeadphoneRoutes_hasNoSuppression() {
    for kind in AudioRoute.Kind.known {
      let isCoupled = ![.wired, .bluetooth, .hearingDevice].contains(kind)
      XCTAssertEqual(kind.typicalEchoPath.suppression, isCoupled ? 1 : 0, "\(kind)")
    }
  }
}
