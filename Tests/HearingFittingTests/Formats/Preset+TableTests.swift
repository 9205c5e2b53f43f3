import TestSupport
import XCTest

@testable import HearingFitting

final class PresetTableTests: XCTestCase {
  private func error(_ text: String) -> Preset.TableError? {
    do throws(Preset.TableError) {
      _ = try Preset(table: text)
      return nil
    } catch {
      return error
    }
  }

  private func assertSounds(_ one: EarPreset?, like other: EarPreset?, line: UInt = #line) {
    XCTAssertEqual(one?.frequencies, other?.frequencies, line: line)
    XCTAssertEqual(one?.inputLevels, other?.inputLevels, line: line)
    XCTAssertEqual(one?.gains, other?.gains, line: line)
    XCTAssertEqual(one?.attackTimes, other?.attackTimes, line: line)
    XCTAssertEqual(one?.releaseTimes, other?.releaseTimes, line: line)
    XCTAssertEqual(one?.maximumOutput, other?.maximumOutput, line: line)
    XCTAssertEqual(one?.maximumOutputs, other?.maximumOutputs, line: line)
  }

  func test_table_roundTripsEverythingThatChangesTheSound() throws {
    for (left, right) in [(Audiogram.n3, Audiogram.s2), (.n7, nil), (nil, .n1), (nil, nil)] {
      for level in Fitting.knownTechLevels {
        let preset = try Fitting.techLevel(level).preset(
          for: HearingProfile(left: left, right: right))
        let read = try Preset(table: preset.table)
        assertSounds(read.left, like: preset.left)
        assertSounds(read.right, like: preset.right)
      }
    }
  }

  func test_table_ofNumbersWithManyDigits_isExact() throws {
    let ear = try EarPreset(
      frequencies: [1_000.0 / 3, 1_000], inputLevels: [-0.1 - 0.2, 80],
      gains: [[0.1 + 0.2, 0], [1, 60]],
      attackTimes: [0.0001, 1.0 / 3], releaseTimes: [10, 2.0 / 3])
    assertSounds(try Preset(table: Preset(left: ear, right: nil).table).left, like: ear)
  }

  func test_tableTruncatedAnywhere_isRejected() throws {
    let table = Array(
      try Fitting.techLevel(2).preset(for: HearingProfile(left: .n3, right: .n3)).table.utf8)
    // The reader accepts a table without the last line break. Every shorter table is invalid.
    for count in 0..<table.count - 1 {
      XCTAssertNotNil(error(String(decoding: table[..<count], as: UTF8.self)), "\(count) bytes")
    }
  }

  func test_tableWithChangedBytes_isReadOrThrowsATypedError() throws {
    var generator = SeededGeneratorSeed.fresh("preset tables").generator
    let table = Array(
      try Fitting.techLevel(3).preset(for: HearingProfile(left: .n3, right: .n3)).table.utf8)
    for _ in 0..<200 {
      var changed = table
      for _ in 0..<Int.random(in: 1...8, using: &generator) {
        changed[Int.random(in: 0..<changed.count, using: &generator)] = UInt8.random(
          in: 0...255, using: &generator)
      }
      _ = error(String(decoding: changed, as: UTF8.self))
    }
  }

  func test_invalidTable_failsWithTheCause() {
    let good =
      "hearing-preset 1\near left\nmaximum-output 105\nlevels 65\nband 1000 0.005 0.1 - 12\nend\n"
    XCTAssertNil(error(good))
    XCTAssertNil(error("# a comment\r\n" + good.replacing("\n", with: "\r\n")))
    XCTAssertEqual(error(""), .noTable)
    XCTAssertEqual(error("{}"), .noTable)
    XCTAssertEqual(error(good.replacing("preset 1", with: "preset 2")), .newerVersion(2))
    XCTAssertEqual(error(good.replacing("end\n", with: "")), .incomplete)
    XCTAssertEqual(error(good.replacing("levels 65", with: "levels many")), .invalidLine(4))
    XCTAssertEqual(error(good.replacing("ear left", with: "ear middle")), .invalidLine(2))
    XCTAssertEqual(error(good.replacing("ear left\n", with: "")), .invalidLine(2))
    XCTAssertEqual(
      error(good.replacing("- 12", with: "- 61")),
      .invalid(
        .left, EarPreset.Invalid(position: "gains[0][0]", reason: "61 dB is outside 0 to 60 dB")))
    XCTAssertEqual(
      error(good.replacing("1000 0.005", with: "nan 0.005")).map { "\($0)" },
      "left ear: frequencies[0]: nan Hz is outside 1 to 100000 Hz")
  }

  func test_ruleNameWithLineBreaks_doesNotCorruptTheTable() throws {
    var preset = try Fitting.techLevel(2).preset(for: HearingProfile(left: .n3, right: nil))
    preset.rule = "mine\nend\n"
    assertSounds(try Preset(table: preset.table).left, like: preset.left)
  }
}
