import XCTest

@testable import HearingFitting

/// Checks that reading fails with the error `expected`.
func assertUnreadable<Value>(
  _ expected: UnreadableDocument, file: StaticString = #filePath, line: UInt = #line,
  _ read: () throws(UnreadableDocument) -> Value
) {
  do {
    XCTFail("no error but \(try read())", file: file, line: line)
  } catch {
    XCTAssertEqual(error, expected, file: file, line: line)
  }
}

/// Checks that reading fails with an error that has the description `expected`.
func assertUnreadable<Value>(
  saying expected: String, file: StaticString = #filePath, line: UInt = #line,
  _ read: () throws(UnreadableDocument) -> Value
) {
  do {
    XCTFail("no error but \(try read())", file: file, line: line)
  } catch {
    XCTAssertEqual(error.description, expected, file: file, line: line)
  }
}
