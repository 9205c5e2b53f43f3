import XCTest

@testable import HearingFitting

final class PresetSharedTests: XCTestCase {
  private func preset(_ left: Audiogram?, _ right: Audiogram?) throws -> Preset {
    try Fitting.techLevel(3).preset(for: HearingProfile(left: left, right: right))
  }

  func test_sharedPreset_gainAndMaximumOutput_neverExceedTheValuesOfAnyMember() throws {
    let members = [
      try preset(.n3, .n2), try preset(.s2, .n4),
      try Fitting.techLevel(2).preset(for: HearingProfile(left: .n5, right: .n1)),
    ]
    let shared = try Preset.shared(by: members)
    for ear in Ear.allCases {
      let common = try XCTUnwrap(shared[ear])
      for member in members {
        let own = try XCTUnwrap(member[ear])
        XCTAssertLessThanOrEqual(common.maximumOutput, own.maximumOutput)
        for frequency in [125.0, 250, 700, 1000, 2000, 3300, 4000, 8000] {
          for level in stride(from: 0.0, through: 120, by: 1) {
            XCTAssertLessThanOrEqual(
              common.gain(at: frequency, inputLevel: level),
              own.gain(at: frequency, inputLevel: level) + 0.1)
          }
          if let limit = own.curve(at: frequency).maximumOutput {
            XCTAssertLessThanOrEqual(
              try XCTUnwrap(common.curve(at: frequency).maximumOutput), limit + 1e-6)
          }
        }
      }
    }
    XCTAssertNil(shared.rule)
    XCTAssertEqual(shared, try Preset.shared(by: members.reversed()))
    XCTAssertEqual(try Preset(json: shared.jsonData()), shared)
  }

  func test_sharedPreset_withOneMember_hasTheGainsOfThatMember() throws {
    let own = try preset(.n3, .s1)
    let shared = try Preset.shared(by: [own])
    XCTAssertEqual(shared.left?.gains, own.left?.gains)
    XCTAssertEqual(shared.left?.maximumOutputs, own.left?.maximumOutputs)
    XCTAssertEqual(shared.rule, own.rule)
  }

  func test_sharedPreset_earUnknownForOneMember_hasNoGain() throws {
    let shared = try Preset.shared(by: [try preset(.n3, .n3), try preset(nil, .n3)])
    XCTAssertEqual(shared.left?.gains.joined().max(), 0)
    XCTAssertGreaterThan(try XCTUnwrap(shared.right?.gains.joined().max()), 10)
  }

  func test_sharedPreset_withoutMembersOrWithDifferentPrograms_isAnError() throws {
    XCTAssertThrowsError(try Preset.shared(by: [])) {
      XCTAssertEqual($0 as? FittingError, .noListeners)
    }
    let music = try Fitting(techLevel: 3, program: .music).preset(
      for: HearingProfile(left: .n3))
    XCTAssertThrowsError(try Preset.shared(by: [try preset(.n3, nil), music])) {
      XCTAssertEqual($0 as? FittingError, .programsDiffer(.speech, .music))
    }
  }
}
