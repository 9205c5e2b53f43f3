import ExampleSupport
import HearingFitting
import XCTest

final class ArgumentReaderTests: XCTestCase {
  private func assertThrows<Value>(
    _ expected: UsageError, line: UInt = #line, _ body: () throws -> Value
  ) {
    XCTAssertThrowsError(try body(), line: line) { XCTAssertEqual($0 as? UsageError, expected) }
  }

  func test_next_distinguishesOptionsAndOperands() throws {
    var reader = ArgumentReader(["in.wav", "--quiet", "-", "-x", "--", "--quiet"])
    var all: [ArgumentReader.Argument] = []
    while let argument = try reader.next() { all.append(argument) }
    XCTAssertEqual(
      all,
      [
        .operand("in.wav"), .option("--quiet"), .operand("-"), .option("-x"), .operand("--quiet"),
      ])
  }

  func test_valuesOfOptions_afterASpaceOrAnEqualSign_areRead() throws {
    var reader = ArgumentReader(["--a", "1", "--b=x=y", "--c", "-5"])
    _ = try reader.next()
    XCTAssertEqual(try reader.integer(in: 0...3), 1)
    _ = try reader.next()
    XCTAssertEqual(try reader.text(), "x=y")
    _ = try reader.next()
    XCTAssertEqual(try reader.number(in: -10...0), -5)
    XCTAssertNil(try reader.next())
  }

  func test_missingAndUnexpectedValues_throw() throws {
    var flag = ArgumentReader(["--quiet=yes"])
    XCTAssertEqual(try flag.next(), .option("--quiet"))
    assertThrows(.unexpectedValue(option: "--quiet", value: "yes")) { try flag.next() }
    for arguments in [["--out"], ["--out", "--report"], ["--out="], ["--out", ""]] {
      var reader = ArgumentReader(arguments)
      _ = try reader.next()
      assertThrows(.missingValue(option: "--out")) { try reader.text() }
    }
  }

  func test_repeatedOption_throws() throws {
    var reader = ArgumentReader(["--quiet", "--quiet"])
    _ = try reader.next()
    assertThrows(.repeatedOption("--quiet")) { try reader.next() }
  }

  func test_numbersThatAreInvalidOrOutsideTheirRange_throw() throws {
    for text in ["nan", "NaN", "-nan", "inf", "-inf", "1e999", "1.0000001", "-0.1"] {
      var reader = ArgumentReader(["--intensity", text])
      _ = try reader.next()
      assertThrows(
        .outOfRange(option: "--intensity", value: text, permitted: "0…1")
      ) { try reader.number(in: 0...1) }
    }
    for text in ["", " 1", "1 ", "1,5", "one", "0x", "１"] where !text.isEmpty {
      var reader = ArgumentReader(["--intensity=\(text)"])
      _ = try reader.next()
      assertThrows(.notANumber(option: "--intensity", value: text)) {
        try reader.number(in: 0...1)
      }
    }
    for text in ["1.5", "nan", "1e3", "0x1", "-", "١"] {
      var whole = ArgumentReader(["--block", text])
      _ = try whole.next()
      assertThrows(.notAWholeNumber(option: "--block", value: text)) {
        try whole.integer(in: 1...9)
      }
    }
    for text in ["0", "-1", "99999999999999999999"] {
      var whole = ArgumentReader(["--block", text])
      _ = try whole.next()
      assertThrows(.outOfRange(option: "--block", value: text, permitted: "1…9")) {
        try whole.integer(in: 1...9)
      }
    }
  }

  func test_rule_isReadByItsName() throws {
    for rule in PrescriptionRule.all {
      var reader = ArgumentReader(["--rule", rule.name])
      _ = try reader.next()
      XCTAssertEqual(try reader.rule(), rule)
    }
  }

  func test_usageErrorMessages_areOneShortLine() {
    let nasty = "a\nb\u{1B}[31m\u{2028}" + String(repeating: "x", count: 5000)
    let errors: [UsageError] = [
      .unknownOption(nasty), .unknownCommand(nasty, known: ["a"]),
      .unexpectedValue(option: "--a", value: nasty),
      .notANumber(option: "--a", value: nasty),
      .notAWholeNumber(option: "--a", value: nasty),
      .outOfRange(option: "--a", value: nasty, permitted: "0 to 1"),
      .unknownValue(option: "--a", value: nasty, permitted: ["b"]),
      .notADay(option: "--a", value: nasty), .unexpectedOperand(nasty),
      .conflict("--a", with: nasty), .samePath(nasty, first: "a", second: "b"),
    ]
    for error in errors {
      let line = Command("x", help: "").message(for: .usage(error))
      XCTAssertFalse(line.contains { $0.isNewline || $0 == "\u{1B}" }, line)
      XCTAssertLessThan(line.count, 300)
    }
  }
}
