import TestSupport
import XCTest

@testable import HearingProcessing

final class DebounceTests: TimedTestCase {
  private typealias Request = ParameterRequest<Int>

  func test_hold_untilALaterDeadline_keepsTheTimer() {
    var debounce = Debounce<Int>()
    XCTAssertNotNil(debounce.hold(Request(.value(1)), until: .seconds(1)).timer)
    let second = debounce.hold(Request(.value(2)), until: .seconds(2))
    XCTAssertNil(second.timer)
    XCTAssertNil(second.stale)
  }

  func test_hold_untilAnEarlierDeadline_replacesTheTimer() {
    var debounce = Debounce<Int>()
    guard let first = debounce.hold(Request(.value(1)), until: .seconds(5)).timer else {
      return XCTFail("no timer")
    }
    let token = ObservationToken()
    XCTAssertNil(debounce.keep(token, ofTimer: first.number))
    let second = debounce.hold(Request(.value(2)), until: .seconds(2))
    XCTAssertIdentical(second.stale, token)
    XCTAssertEqual(second.timer?.deadline, .seconds(2))
    XCTAssertNil(debounce.fired(first.number).token)
  }

  func test_keep_returnsATokenThatComesTooLate() {
    var debounce = Debounce<Int>()
    guard let timer = debounce.hold(Request(.value(1)), until: .seconds(5)).timer else {
      return XCTFail("no timer")
    }
    _ = debounce.take()
    let token = ObservationToken()
    XCTAssertIdentical(debounce.keep(token, ofTimer: timer.number), token)
  }

  /// Compares with a model that has only the waiting request and its deadline. Timers fire in
  /// random order, even cancelled ones, as they may on a scheduler with many threads.
  func test_longRandomSequences_deliverTheLastValueOnceWhenItsTimeHasCome() {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    var debounce = Debounce<Int>()
    var now = Duration.zero
    var waiting: (request: Request, deadline: Duration)?
    var timers: [Debounce<Int>.Timer] = []
    var withdrawn: Set<ObjectIdentifier> = []
    var tokens: [UInt64: ObservationToken] = [:]
    var (held, overtaken, delivered, taken) = (0, 0, 0, 0)

    func set(_ timer: Debounce<Int>.Timer) {
      timers.append(timer)
      let token = ObservationToken()
      tokens[timer.number] = token
      XCTAssertNil(debounce.keep(token, ofTimer: timer.number))
    }

    for number in 0..<100_000 {
      switch Int.random(in: 0..<10, using: &generator) {
      case 0..<4:
        let request = Request(.value(number))
        let deadline = now + .milliseconds(Int.random(in: 1...50, using: &generator))
        let result = debounce.hold(request, until: deadline)
        held += 1
        XCTAssertIdentical(result.overtaken?.result, waiting?.request.result)
        if result.overtaken != nil { overtaken += 1 }
        waiting = (request, deadline)
        if let stale = result.stale { withdrawn.insert(ObjectIdentifier(stale)) }
        if let timer = result.timer { set(timer) }
        XCTAssertNotNil(debounce.timer, "who waits has a timer")
      case 4:
        let (request, token) = debounce.take()
        XCTAssertIdentical(request?.result, waiting?.request.result)
        if request != nil { taken += 1 }
        if let token { withdrawn.insert(ObjectIdentifier(token)) }
        waiting = nil
      case 5 where !timers.isEmpty:
        // A cancelled timer that fires anyway.
        let timer = timers[Int.random(in: timers.indices, using: &generator)]
        guard let token = tokens[timer.number], withdrawn.contains(ObjectIdentifier(token)) else {
          continue
        }
        guard case .nothing = debounce.fired(timer.number).what else {
          return XCTFail("a withdrawn timer delivers")
        }
      default:
        now += .milliseconds(Int.random(in: 0...20, using: &generator))
      }
      while let index = timers.firstIndex(where: { $0.deadline <= now }) {
        let timer = timers.remove(at: index)
        if let token = tokens.removeValue(forKey: timer.number),
          withdrawn.remove(ObjectIdentifier(token)) != nil
        {
          continue
        }
        switch debounce.fired(timer.number).what {
        case .nothing: XCTAssertNil(waiting)
        case .again(let next):
          XCTAssertEqual(next.deadline, waiting?.deadline)
          set(next)
        case .deliver(let request):
          XCTAssertIdentical(request.result, waiting?.request.result)
          XCTAssertLessThanOrEqual(waiting?.deadline ?? .seconds(1e9), now)
          waiting = nil
          delivered += 1
        }
      }
      if let waiting { XCTAssertGreaterThan(waiting.deadline, now, "delivered in time") }
      XCTAssertLessThanOrEqual(
        timers.count {
          tokens[$0.number].map { !withdrawn.contains(ObjectIdentifier($0)) } ?? false
        },
        1, "one timer at a time")
    }
    XCTAssertEqual(held, overtaken + delivered + taken + (waiting == nil ? 0 : 1))
  }
}
