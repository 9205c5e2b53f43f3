import TestSupport
import XCTest

@testable import HearingProcessing

/// Plays threads, devices and timers around a `ParameterMachine`, one event at a time in random
/// order, and checks each event against what a parameter promises.
///
/// The thread that drives is a step that has yet to be carried out; between two of its steps
/// anything may happen, as on other threads. The model beside it knows only requests, the
/// applicators' latest values and who was found out of date.
struct MachineWorld {
  typealias Machine = ParameterMachine<Int>
  typealias Request = ParameterRequest<Int>
  typealias Record = ApplicatorRecord<Int>

  private(set) var machine = Machine()
  private(set) var value = 0
  private(set) var events = 0
  var generator: SeededGenerator

  // What the model knows.
  private var open: [ObjectIdentifier: Request] = [:]
  /// In the order in which they are to be carried out.
  private var accepted: [ObjectIdentifier] = []
  private var held: Request?
  private(set) var settled = 0
  private var latest: [ObjectIdentifier: Int] = [:]
  private var records: [Record] = []
  private var asked: [ObjectIdentifier] = []
  private var turns: [Record] = []

  // What the threads are about to do.
  private var step: Machine.Step?
  private var inHandler: Machine.Application?
  private var awaited: (ticket: UInt64, record: Record, value: Int)?
  private var oldTickets: [UInt64] = []
  private var timer: Debounce<Int>.Timer?
  private var publishedPhase = "applied"

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
  }

  // MARK: Random events

  mutating func play(_ count: Int) {
    for _ in 0..<count {
      events += 1
      playOne()
      check()
    }
  }

  private mutating func playOne() {
    switch random(34) {
    case 0..<10: drive()
    case 10..<14: submit(.value(random(4)))
    case 14: enqueue(.current)
    case 15: enqueue(.imposed(random(4), replacing: { _ in }))
    case 16: join()
    case 17: joinSynchronized()
    case 18: leave()
    case 19: configure()
    case 20..<26: answer()
    case 26: answerLate()
    case 27: setMode()
    case 28: flush()
    case 29, 30: fireDebounce()
    case 31: holdOff()
    case 32: machine.letIn()
    default: load()
    }
  }

  /// Lets every device answer, every timer fire and the driving thread go on until nothing is left.
  mutating func settleEverything() {
    machine.letIn()
    while step != nil || awaited != nil || timer != nil {
      events += 1
      if step != nil {
        drive()
      } else if awaited != nil {
        answer(.success)
      } else {
        fireDebounce()
      }
      check()
    }
    XCTAssertTrue(open.isEmpty, "lost results: \(open.count)")
    XCTAssertTrue(machine.isIdle)
  }

  /// The session ends at this moment: everything fails, at once.
  mutating func close() {
    let awaitedRecord = awaited?.record
    perform(machine.close())
    if let awaitedRecord { latest[ObjectIdentifier(awaitedRecord)] = nil }
    awaited = nil
    while step != nil { drive() }
    XCTAssertTrue(open.isEmpty, "close leaves \(open.count) results open")
    XCTAssertTrue(machine.isIdle)
    check()
    submit(.value(1))
    XCTAssertTrue(open.isEmpty, "a closed parameter takes a value")
  }

  // MARK: Values

  private mutating func submit(_ target: Request.Target) {
    let request = issue(target)
    var submission = machine.submit(request)
    if case .debounced = submission {
      submission = machine.hold(request, until: .seconds(events))
    }
    handIn(request, submission)
  }

  private mutating func enqueue(_ target: Request.Target) {
    let request = issue(target)
    handIn(request, machine.enqueue(request))
  }

  private mutating func joinSynchronized() {
    let record = Record()
    let value = random(4)
    let request = issue(.value(value))
    let submission = machine.join(record, at: value, request)
    if record.isRegistered {
      records.append(record)
      latest[ObjectIdentifier(record)] = value
    }
    handIn(request, submission)
  }

  private mutating func load() {
    let number = machine.lastLoad + 1
    machine.beginLoading(number)
    if random(3) == 0 {
      _ = machine.failLoading(number, .loadFailed(DeviceFailure()))
    } else {
      let request = issue(.value(random(4)))
      let generation = machine.generation - (machine.generation > 0 ? UInt64(random(2)) : 0)
      let isStale = generation != machine.generation
      let submission = machine.submitLoaded(
        request, number: number, loadGeneration: generation)
      if isStale, case .accepted = submission { XCTFail("a load overwrites a newer value") }
      handIn(request, submission)
    }
  }

  private mutating func issue(_ target: Request.Target) -> Request {
    let request = Request(target)
    open[ObjectIdentifier(request.result)] = request
    return request
  }

  private mutating func handIn(_ request: Request, _ submission: Machine.Submission) {
    switch submission {
    case .debounced: XCTFail("debounced twice")
    case .refused(let error):
      XCTAssertTrue(machine.isHeld || machine.isClosed || "\(error)".contains("later"))
      settle(request, .failure(error))
    case .accepted(let effects):
      if machine.debounce.waiting?.result === request.result {
        perform(effects)
        held = request
      } else {
        accepted.append(ObjectIdentifier(request.result))
        perform(effects)
      }
    }
  }

  private mutating func perform(_ effects: Machine.Effects) {
    for failure in effects.failures {
      accepted.removeAll { $0 == ObjectIdentifier(failure.request.result) }
      settle(failure.request, .failure(failure.error))
    }
    if let held, machine.debounce.waiting == nil {
      if open[ObjectIdentifier(held.result)] != nil {
        accepted.append(ObjectIdentifier(held.result))
      }
      self.held = nil
    }
    if let timer = effects.timer { self.timer = timer }
    if effects.drives { beginDriving(machine.begin()) }
  }

  private mutating func settle(_ request: Request, _ result: Result<Int, ParameterError>) {
    XCTAssertNotNil(open.removeValue(forKey: ObjectIdentifier(request.result)), "settled twice")
    XCTAssertTrue(request.result.settle(result), "settled twice")
    settled += 1
  }

  private mutating func setMode() {
    let modes: [DeliveryMode] = [.continuous, .latest, .discrete(seconds: 1), .discrete(seconds: 0)]
    let mode = modes[random(4)]
    perform(machine.setMode(mode))
    if mode.normalized == .continuous { XCTAssertNil(machine.debounce.waiting) }
  }

  private mutating func flush() {
    let waits = machine.debounce.waiting != nil
    let effects = machine.flush()
    XCTAssertEqual(effects != nil, waits)
    if let effects { perform(effects) }
  }

  private mutating func fireDebounce() {
    guard let timer = timer.take() else { return }
    perform(machine.debounceFired(timer.number))
  }

  private mutating func holdOff() {
    perform(machine.holdOff())
    XCTAssertNil(machine.debounce.waiting)
  }

  // MARK: Applicators

  private mutating func join() {
    let record = Record()
    machine.join(record)
    records.append(record)
  }

  private mutating func leave() {
    guard records.count > 3, let record = records.randomElement(using: &generator) else { return }
    records.removeAll { $0 === record }
    guard let departure = machine.remove(record) else { return XCTFail("was there") }
    XCTAssertNil(machine.remove(record), "leaves twice")
    if awaited?.record === record { awaited = nil }
    latest[ObjectIdentifier(record)] = nil
    react(departure.reaction)
  }

  private mutating func configure() {
    guard let record = records.randomElement(using: &generator) else { return }
    let (hasVerify, hasApply) = (random(2) == 0, random(3) > 0)
    let (_, catchesUp) = machine.configure(record) { handlers in
      if hasVerify { handlers.verify = { _ in true } }
      if hasApply { handlers.apply = { _, _ in } }
      handlers.timeout = .seconds(1)
    }
    if catchesUp { enqueue(.current) }
  }

  private mutating func answer(_ answer: ApplicationSequence<Int>.Answer? = nil) {
    guard let (ticket, record, value) = awaited else { return }
    let answers: [ApplicationSequence<Int>.Answer] = [
      .success, .success, .success, .failure(DeviceFailure()), .timedOut, .abandoned,
    ]
    let answer = answer ?? answers[random(answers.count)]
    awaited = nil
    oldTickets.append(ticket)
    switch answer {
    case .success: latest[ObjectIdentifier(record)] = value
    case .timedOut, .abandoned: latest[ObjectIdentifier(record)] = nil
    case .failure, .gone: break
    }
    react(machine.answered(ticket: ticket, answer))
  }

  private mutating func answerLate() {
    guard let ticket = oldTickets.randomElement(using: &generator) else { return }
    let reaction = machine.answered(ticket: ticket, .success)
    XCTAssertFalse(reaction.drives, "a late answer counts")
  }

  private mutating func react(_ reaction: Machine.Reaction) {
    if reaction.drives { beginDriving(machine.resume()) }
  }

  // MARK: The driving thread

  private mutating func beginDriving(_ first: Machine.Step) {
    XCTAssertNil(step.map { _ in 0 }, "two threads drive")
    step = first
    follow(first)
  }

  /// Carries out the step that is due, and asks the machine for the next.
  private mutating func drive() {
    guard let due = step else { return }
    let next: Machine.Step
    switch due {
    case .idle, .wait: return XCTFail("\(due) is nothing to carry out")
    case .compare(let request, let candidates):
      if !machine.isClosed {
        XCTAssertEqual(accepted.first, ObjectIdentifier(request.result), "out of turn")
      }
      accepted.removeAll { $0 == ObjectIdentifier(request.result) }
      let target =
        switch request.target {
        case .value(let value), .imposed(let value, _): value
        case .current: value
        }
      turns = candidates.filter { $0.latest != target }.map(\.record)
      asked = []
      next = machine.compared(target, outOfDate: .init(turns), changesValue: target != value)
    case .verify: next = machine.verified(random(12) > 0)
    case .apply(let application):
      if inHandler == nil {
        inHandler = application
        guard random(2) == 0 else { return }
        answer()
        return
      }
      inHandler = nil
      next = machine.applyReturned(ticket: application.ticket, deadline: nil)
    case .finish(let ending):
      finish(ending)
      next = machine.begin()
    }
    step = next
    follow(next)
  }

  private mutating func follow(_ next: Machine.Step) {
    switch next {
    case .idle: step = nil
    case .wait(let ticket, _):
      XCTAssertEqual(ticket, awaited?.ticket)
      step = nil
    case .apply(let application):
      guard let record = machine.sequence?.awaited?.record else { return XCTFail("no turn") }
      XCTAssertTrue(record.isRegistered)
      awaited = (application.ticket, record, application.value)
      XCTAssertFalse(asked.contains(ObjectIdentifier(record)), "asked twice")
      asked.append(ObjectIdentifier(record))
    case .compare, .verify, .finish: break
    }
  }

  private mutating func finish(_ ending: Machine.Ending) {
    let result = ending.result
    if case .success(let newValue) = result {
      XCTAssertEqual(ending.changesValue, newValue != value)
      for record in turns where record.isRegistered {
        XCTAssertEqual(latest[ObjectIdentifier(record)], newValue, "success without everybody")
      }
      value = newValue
    } else {
      XCTAssertFalse(ending.changesValue, "a failure changes the value")
    }
    let order = turns.map { ObjectIdentifier($0) }.filter { asked.contains($0) }
    XCTAssertEqual(asked, order, "asked out of order")
    settle(ending.sequence.request, result)
  }

  // MARK: What always holds

  private mutating func check() {
    for record in records {
      XCTAssertEqual(record.latest, latest[ObjectIdentifier(record)])
    }
    XCTAssertEqual(machine.isDriven, step != nil, "who drives")
    if let update = machine.takeUpdate(isEnding: isEnding, standing: { value }) {
      publishedPhase = update.words
    }
    if case .applying(let value)? = machine.sequence?.value.map({ UpdateState.applying($0) }) {
      XCTAssertEqual(publishedPhase, "applying \(value)")
    }
  }

  private var isEnding: Bool {
    if case .finish = step { return true }
    return false
  }

  private mutating func random(_ bound: Int) -> Int {
    Int.random(in: 0..<bound, using: &generator)
  }
}
