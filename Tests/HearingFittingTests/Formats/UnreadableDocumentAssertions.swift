import XCTest

@testable import HearingFitting

/// Checks that reading fails with this error.
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

/// Checks that reading fails with an error with this description.
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
