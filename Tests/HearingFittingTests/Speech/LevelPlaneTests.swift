import XCTest

@testable import HearingFitting

final class LevelPlaneTests: XCTestCase {
  func test_level_inAnotherPlane_differsByTheReferenceThresholds() {
    // For 0 dB HL at 1 kHz, ISO 389-7 states 2.4 dB SPL in the free field. ISO 389-2 states 0 dB
    // SPL in the coupler and 5.5 dB SPL in the ear simulator.
    XCTAssertEqual(LevelPlane.freeField.level(100, at: 1000, in: .coupler), 97.6, accuracy: 1e-9)
    XCTAssertEqual(LevelPlane.coupler.level(97.6, at: 1000, in: .freeField), 100, accuracy: 1e-9)
    XCTAssertEqual(
      LevelPlane.earSimulator.level(100, at: 1000, in: .coupler), 94.5, accuracy: 1e-9)
    XCTAssertEqual(LevelPlane.freeField.level(100, at: 4000, in: .coupler), 110.9, accuracy: 1e-9)
  }

  func test_level_roundTripThroughAnotherPlane_isUnchanged() {
    for plane in LevelPlane.allCases {
      for other in LevelPlane.allCases {
        for frequency in [20.0, 125, 333, 2700, 8000, 20_000] {
          let there = plane.level(70, at: frequency, in: other)
          XCTAssertEqual(other.level(there, at: frequency, in: plane), 70, accuracy: 1e-9)
        }
      }
    }
  }

  /// The level in the ear simulator represents the level at the ear drum. The resonance of the ear
  /// canal makes this level higher than the free-field level. According to ANSI S3.5, the
  /// difference is 2.6, 12 and 14.3 dB at 1, 2 and 4 kHz. According to ISO 389-2 and ISO 389-7, the
  /// difference at 4 kHz is about 6 dB greater.
  func test_earSimulatorLevel_at1And2kHz_isWithin1dBOfTheEarDrumLevel() {
    for (frequency, thresholds, gain, accuracy) in [
      (1000.0, 5.5 - 2.4, 2.6, 1.0), (2000, 11.5 - -1.3, 12, 1), (4000, 15 - -5.4, 14.3, 6.5),
    ] {
      let level = LevelPlane.freeField.level(0, at: frequency, in: .earSimulator)
      XCTAssertEqual(level, thresholds, accuracy: 1e-9, "\(frequency) Hz")
      XCTAssertEqual(level, gain, accuracy: accuracy, "\(frequency) Hz")
    }
  }

  func test_largestOutputInTheCoupler_betweenTheBands_isAtMostTheLegalLimit() throws {
    let fitting = Fitting.techLevel(3)
    let flat = try Audiogram([125: 105, 8000: 105])
    for audiogram in [.n7, flat] {
      let ear = try XCTUnwrap(fitting.preset(for: HearingProfile(left: audiogram)).left)
      for frequency in stride(from: 50.0, through: 8000, by: 5) {
        XCTAssertLessThanOrEqual(ear.largestOutput(at: frequency, in: .coupler), 117 + 1e-6)
      }
    }
  }

  func test_largestCouplerOutput_isLimitedByTheBandOrTheCeiling() throws {
    let ear = try EarPreset(
      frequencies: [1000, 4000], inputLevels: [40, 80], gains: [[0, 0], [0, 0]],
      maximumOutput: 105, maximumOutputs: [105, 90])
    XCTAssertEqual(ear.largestOutput(at: 4000, in: .freeField), 90)
    XCTAssertEqual(ear.largestOutput(at: 4000, in: .coupler), 100.9, accuracy: 1e-9)
    let linear = try EarPreset(frequencies: [1000], gains: [0], maximumOutput: 105)
    XCTAssertEqual(linear.largestCouplerOutput.level, 115.9, accuracy: 1e-9)
    XCTAssertEqual(linear.largestCouplerOutput.frequency, 4000, accuracy: 1e-9)
  }
}
