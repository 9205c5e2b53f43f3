import HearingAudiometry
import HearingFitting
import HearingProcessing
import XCTest

/// From the test to the preset, in a running session.
final class SessionLoopTests: XCTestCase {
  func test_aTestDuringAnInterruption_replacesThePreset() async throws {
    let controller = ProcessingController()
    let source = DefaultPresetDataSource(
      fitting: .techLevel(2), profile: HearingProfile(left: .n1, right: .n1))
    let session = try controller.activate(presetDataSource: .default(source))
    let truth = HearingProfile(left: .n3, right: .n3)

    let profile = try await session.withInterruption(reason: "hearing test") {
      XCTAssertTrue(session.isInterrupted)
      return try Self.measured(truth)
    }
    XCTAssertFalse(session.isInterrupted)
    _ = try await controller.report(.hearingTestSubmitted(profile)).get()

    let fitted = try XCTUnwrap(session.preset.value)
    XCTAssertEqual(fitted, try Fitting.techLevel(2).preset(for: profile))
    let wanted = try Fitting.techLevel(2).preset(for: truth)
    for ear in Ear.allCases {
      for frequency in [1000.0, 2000, 4000] {
        let (gain, ideal) = (try XCTUnwrap(fitted[ear]), try XCTUnwrap(wanted[ear]))
        // A threshold that is 12 dB off changes these gains by about half of that.
        XCTAssertEqual(
          gain.gain(at: frequency, inputLevel: 65), ideal.gain(at: frequency, inputLevel: 65),
          accuracy: 7, "\(frequency) Hz")
      }
    }
  }

  private static func measured(_ truth: HearingProfile) throws -> HearingProfile {
    var listener = SimulatedListener(profile: truth, seed: 11)
    var test = try ToneTest(
      method: .bayesian, frequencies: [500, 1000, 2000, 4000],
      calibration: .uncalibrated(fullScaleLevel: 120), seed: 2)
    while true {
      switch test.next {
      case .present(let presentation):
        let (response, delay) = listener.respond(to: presentation)
        try test.answer(response, after: delay)
      case .pause: test.resume()
      case .finished(let profile): return profile
      }
    }
  }
}
