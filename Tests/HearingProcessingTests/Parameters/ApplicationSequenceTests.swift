import XCTest

@testable import HearingProcessing

final class ApplicationSequenceTests: TimedTestCase {
  func test_nextTurn_skipsApplicatorsThatLeftOrHaveNoHandler() {
    var places = OrderedSlots<ApplicatorRecord<Int>>()
    let records = (0..<4).map { number in
      let record = ApplicatorRecord<Int>(latest: number)
      record.handlers.apply = .init { _, _ in }
      places.append(record)
      return record
    }
    records[2].handlers.apply = nil
    _ = places.remove(records[0])
    let sequence = ApplicationSequence<Int>(
      .init(.value(1)), number: 1, standing: 0, applicators: .init(records))
    records.forEach(sequence.addTurn)
    XCTAssertIdentical(sequence.nextTurn(), records[1])
    XCTAssertIdentical(sequence.nextTurn(), records[3])
    XCTAssertNil(sequence.nextTurn())
  }

  func test_answers_endTheSequenceOnlyOnFailure() {
    let words: [String?] = [
      ApplicationSequence<Int>.Answer.success, .gone, .failure(DeviceFailure()), .timedOut,
      .abandoned,
    ].map { $0.error(Attempt(value: "1"))?.word }
    XCTAssertEqual(
      words, [nil, nil, "applyFailed(device)", "applyTimeoutExceeded", "abandoned"])
  }
}
