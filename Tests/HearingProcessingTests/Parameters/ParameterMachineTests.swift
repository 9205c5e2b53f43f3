import TestSupport
import XCTest

@testable import HearingProcessing

final class ParameterMachineTests: TimedTestCase {
  private typealias Machine = ParameterMachine<Int>

  func test_longRandomSequences_settleEveryResultOnceInOrder_andKeepTheValueUntilAllSucceeded() {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    var seeds = SeededGenerator(seed: seed)
    var (events, settled) = (0, 0)
    while events < 120_000 {
      var world = MachineWorld(seed: seeds.next())
      world.play(Int.random(in: 10...2_000, using: &seeds))
      if Bool.random(using: &seeds) { world.close() } else { world.settleEverything() }
      events += world.events
      settled += world.settled
    }
    XCTAssertGreaterThan(settled, 10_000)
  }

  func test_remove_returnsHandlersToReleaseOutsideTheLock() {
    var machine = Machine(0)
    let record = ApplicatorRecord<Int>()
    machine.join(record)
    _ = machine.configure(record) { $0.apply = .init { _, _ in } }
    XCTAssertNotNil(machine.remove(record)?.handlers.apply)
    XCTAssertNil(machine.remove(record))
    XCTAssertFalse(machine.configure(record) { $0.apply = .init { _, _ in } }.catchesUp)
    XCTAssertNil(record.handlers.apply, "who left takes no handlers")
  }

  func test_anApplicatorThatJoinsWhileValuesAreRefused_isSynchronizedByEachHandlerItGets() {
    var machine = Machine(0)
    _ = machine.refuseValues()
    let record = ApplicatorRecord<Int>()
    let effects = machine.join(record, at: 3, .init(.value(3)))
    XCTAssertEqual(effects.failures.map(\.error.word), ["interrupted"])
    XCTAssertNil(machine.sequence)
    XCTAssertEqual(record.latest, 3)
    XCTAssertFalse(machine.configure(record) { $0.verify = .init { _ in true } }.catchesUp)
    XCTAssertTrue(machine.configure(record) { $0.apply = .init { _, _ in } }.catchesUp)
    XCTAssertTrue(
      machine.configure(record) { $0.apply = .init { _, _ in } }.catchesUp, "a new handler as well")
  }

  func test_close_failsInFlightDebouncedAndQueuedRequests_once() {
    var machine = Machine(0)
    let record = ApplicatorRecord<Int>()
    machine.join(record)
    _ = machine.configure(record) { $0.apply = .init { _, _ in } }
    let requests = (1...3).map { ParameterRequest<Int>(.value($0)) }
    var interval: Duration?
    guard
      case .begin(let sequence) = machine.submit(requests[0], interval: &interval).action,
      case .call = machine.compared(sequence, changesValue: true, isOutOfDate: true)
    else { return XCTFail("does not begin") }
    var displaced: Int?
    _ = machine.returned(sequence, ticket: sequence.ticket, displaced: &displaced)
    XCTAssertTrue(machine.awaits(sequence.ticket))
    _ = record.take(9, from: 0)
    _ = machine.submit(requests[1], interval: &interval)
    _ = machine.setMode(.discrete(seconds: 1))
    _ = machine.hold(requests[2], until: .seconds(1))
    let effects = machine.close()
    XCTAssertEqual(
      effects.failures.map { ObjectIdentifier($0.result) },
      requests.map { ObjectIdentifier($0.result) })
    XCTAssertEqual(Set(effects.failures.map(\.error.word)), ["sessionDeactivated"])
    XCTAssertNil(record.latest, "nobody knows what became of the call in flight")
    XCTAssertTrue(machine.close().failures.isEmpty)
    guard case .rest = machine.answered(ticket: sequence.ticket, .success).action else {
      return XCTFail("an answer after the end counts")
    }
    XCTAssertNil(record.latest)
  }
}
