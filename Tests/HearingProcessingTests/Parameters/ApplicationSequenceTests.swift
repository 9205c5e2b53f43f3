import XCTest

@testable import HearingProcessing

final class ApplicationSequenceTests: XCTestCase {
  func test_nextTurn_passesOverWhoLeftAndWhoHasNoSuchHandler() {
    var places = OrderedSlots<ApplicatorRecord<Int>>()
    let records = (0..<4).map { number in
      let record = ApplicatorRecord<Int>(latest: number)
      record.handlers.apply = { _, _ in }
      places.append(record)
      return record
    }
    records[2].handlers.apply = nil
    _ = places.remove(records[0])
    var sequence = ApplicationSequence<Int>(.init(.value(1)))
    sequence.turns = .init(records)
    XCTAssertIdentical(sequence.nextTurn(\.apply)?.record, records[1])
    XCTAssertIdentical(sequence.nextTurn(\.apply)?.record, records[3])
    XCTAssertNil(sequence.nextTurn(\.apply))
  }

  func test_answers_endTheSequenceOrDoNot() {
    let words: [String?] = [
      ApplicationSequence<Int>.Answer.success, .gone, .failure(DeviceFailure()), .timedOut,
      .abandoned,
    ].map { $0.error?.word }
    XCTAssertEqual(
      words, [nil, nil, "applyFailed(device)", "applyTimeoutExceeded", "abandoned"])
  }
}
