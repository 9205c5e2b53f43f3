import TestSupport
import XCTest

@testable import HearingProcessing

/// Simulates threads, devices and timers around a `ParameterMachine`, one random event at a time,
/// and checks each event against a model of the parameter's rules.
///
/// The driving thread is represented by its next step; other events may occur between two of its
/// steps, as on other threads. The model has only the requests, the applicators' latest values and
/// which applicators are out of date.
struct MachineWorld {
  typealias Machine = ParameterMachine<Int>
  typealias Request = ParameterRequest<Int>
  typealias Record = ApplicatorRecord<Int>

  private(set) var machine = Machine(0)
  private(set) var value = 0
  private(set) var events = 0
  var generator: SeededGenerator

  // The state of the model.
  private var open: [ObjectIdentifier: Request] = [:]
  /// In the order in which they must run.
  private var accepted: [ObjectIdentifier] = []
  private var held: Request?
  private(set) var settled = 0
  private var latest: [ObjectIdentifier: Int] = [:]
  private var records: [Record] = []
  private var asked: [ObjectIdentifier] = []
  private var turns: [Record] = []
  private var target = 0
  private var sequence: Machine.Sequence?

  // The next steps of the simulated threads.
  private var step: Step?
  private var hasEnded = false
  private var awaited: (ticket: UInt64, record: Record, value: Int)?
  private var oldTickets: [UInt64] = []
  private var timer: Debounce<Int>.Timer?
  private var publishedPhase = "applied"

  /// What the driving thread does next; each takes the lock once.
  private enum Step {
    case perform(Machine.Action)
    case returned(UInt64)
    case failed(ParameterError)
    case next
  }

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
    case 15: if random(2) == 0 { impose() } else { enqueue(.reset(value)) }
    case 16: join()
    case 17: joinSynchronized()
    case 18: leave()
    case 19: configure()
    case 20..<26: answer()
    case 26: answerLate()
    case 27: setMode()
    case 28: flush()
    case 29, 30: fireDebounce()
    case 31: refuseValues()
    case 32: machine.acceptValues()
    default: load()
    }
  }

  /// Answers every call, fires every timer and drives until nothing is pending.
  mutating func settleEverything() {
    machine.acceptValues()
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

  /// Ends the session now: everything fails at once.
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
    var interval: Duration?
    var effects = machine.submit(request, interval: &interval)
    if interval != nil { effects = machine.hold(request, until: .seconds(events)) }
    handIn(request, effects)
  }

  private mutating func enqueue(_ target: Request.Target) {
    let request = issue(target)
    handIn(request, machine.enqueue(request))
  }

  private mutating func impose() {
    let request = issue(.imposed(random(4), replacing: { _ in }))
    handIn(request, machine.impose(request))
  }

  private mutating func joinSynchronized() {
    let record = Record()
    let value = random(4)
    let request = issue(.value(value))
    let effects = machine.join(record, at: value, request)
    if record.isRegistered {
      records.append(record)
      latest[ObjectIdentifier(record)] = value
    }
    handIn(request, effects)
  }

  private mutating func load() {
    let number = machine.updates.lastLoad + 1
    machine.beginLoading(number)
    if random(3) == 0 {
      _ = machine.failLoading(number, .loadFailed(DeviceFailure()))
    } else {
      let request = issue(.value(random(4)))
      let generation = machine.generation - (machine.generation > 0 ? UInt64(random(2)) : 0)
      let isStale = generation != machine.generation
      let effects = machine.submitLoaded(
        request, number: number, loadGeneration: generation)
      if isStale { XCTAssertTrue(refuses(effects, request), "a load overwrites a newer value") }
      handIn(request, effects)
    }
  }

  private mutating func issue(_ target: Request.Target) -> Request {
    let request = Request(target)
    open[ObjectIdentifier(request.result)] = request
    return request
  }

  private mutating func handIn(_ request: Request, _ effects: Machine.Effects) {
    if let (_, error) = effects.failures.first(where: { $0.result === request.result }) {
      XCTAssertTrue(machine.admission != .open || "\(error)".contains("later"))
    } else if machine.debounce.waiting?.result === request.result {
      perform(effects)
      held = request
      return
    } else {
      accepted.append(ObjectIdentifier(request.result))
    }
    perform(effects)
  }

  private func refuses(_ effects: Machine.Effects, _ request: Request) -> Bool {
    effects.failures.contains { $0.result === request.result }
  }

  private mutating func perform(_ effects: Machine.Effects) {
    for failure in effects.failures {
      accepted.removeAll { $0 == ObjectIdentifier(failure.result) }
      settle(failure.result, .failure(failure.error))
    }
    if let held, machine.debounce.waiting == nil {
      if open[ObjectIdentifier(held.result)] != nil {
        accepted.append(ObjectIdentifier(held.result))
      }
      self.held = nil
    }
    for case .set(let timer) in effects.rest { self.timer = timer }
    beginDriving(effects.action, nil)
  }

  private mutating func settle(
    _ publisher: ResultPublisher<Int, ParameterError>, _ result: Result<Int, ParameterError>
  ) {
    XCTAssertNotNil(open.removeValue(forKey: ObjectIdentifier(publisher)), "settled twice")
    XCTAssertTrue(publisher.settle(result), "settled twice")
    settled += 1
  }

  private mutating func setMode() {
    let modes: [DeliveryMode] = [
      .continuous, .latest, .discrete(seconds: 1), .discrete(seconds: 0),
    ]
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

  private mutating func refuseValues() {
    perform(machine.refuseValues())
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
      if hasVerify { handlers.verify = .init { _ in true } }
      if hasApply { handlers.apply = .init { _, _ in } }
      handlers.timeout = .seconds(1)
    }
    if catchesUp { enqueue(.current) }
  }

  private mutating func answer(_ answer: ApplicationSequence<Int>.Answer? = nil) {
    guard let (ticket, _, _) = awaited else { return }
    let answers: [ApplicationSequence<Int>.Answer] = [
      .success, .success, .success, .failure(DeviceFailure()), .timedOut, .abandoned,
    ]
    let answer = answer ?? answers[random(answers.count)]
    noteAnswer(answer)
    react(machine.answered(ticket: ticket, answer))
  }

  private mutating func noteAnswer(_ answer: ApplicationSequence<Int>.Answer) {
    guard let (ticket, record, value) = awaited.take() else { return }
    oldTickets.append(ticket)
    switch answer {
    case .success: latest[ObjectIdentifier(record)] = value
    case .timedOut, .abandoned: latest[ObjectIdentifier(record)] = nil
    case .failure, .gone: break
    }
  }

  private mutating func answerLate() {
    guard let ticket = oldTickets.randomElement(using: &generator) else { return }
    if machine.sequence?.ticket != ticket { XCTAssertFalse(machine.call.succeed(ticket)) }
    let reaction = machine.answered(ticket: ticket, .success)
    if case .rest = reaction.action {} else { XCTFail("a late answer counts") }
  }

  private mutating func react(_ reaction: Machine.Reaction) {
    beginDriving(reaction.action, reaction.sequence)
  }

  // MARK: The driving thread

  private mutating func beginDriving(_ first: Machine.Action, _ current: Machine.Sequence?) {
    if case .rest = first { return }
    XCTAssertNil(step.map { _ in 0 }, "two threads drive")
    sequence = current
    goOn(first)
  }

  /// Performs the next step of the driving thread.
  private mutating func drive() {
    guard let due = step else { return }
    switch due {
    case .perform(let action):
      perform(action)
    case .returned(let ticket):
      guard let sequence else { return XCTFail("no sequence") }
      var displaced: Int?
      goOn(machine.returned(sequence, ticket: ticket, displaced: &displaced))
    case .failed(let error):
      guard let sequence else { return XCTFail("no sequence") }
      goOn(machine.failed(sequence, error))
    case .next:
      goOn(machine.next())
    }
  }

  private mutating func perform(_ action: Machine.Action) {
    if case .begin(let new) = action {
      sequence = new
      begin(new)
      return compare(new)
    }
    guard let sequence else { return XCTFail("no sequence") }
    switch action {
    case .rest, .finish, .begin, .pause, .offer:
      step = nil
    case .compare:
      compare(sequence)
    case .verify:
      XCTAssertEqual(sequence.target, target)
      XCTAssertNotNil(sequence.verify.take())
      goOn(machine.verified(sequence, random(12) > 0))
    case .call:
      let ticket = sequence.ticket
      XCTAssertNotNil(sequence.apply.take())
      if random(3) == 0, awaited?.ticket == ticket {
        XCTAssertTrue(machine.call.succeed(ticket))
        noteAnswer(.success)
      } else if random(2) == 0 {
        answer()
      }
      step = .returned(ticket)
    case .fail:
      guard let failing = sequence.failing.take() else { return XCTFail("nothing failed") }
      let attempt = Attempt(value: "\(sequence.target)")
      step = .failed(failing.answer?.error(attempt) ?? .cannotApply(attempt))
    case .conclude:
      finish(sequence)
      step = .next
    }
  }

  private mutating func compare(_ sequence: Machine.Sequence) {
    let isMissing = !sequence.continuesAfterFailure || sequence.isUnknown
    let isOutOfDate = sequence.latest.take().map { $0 != sequence.target } ?? isMissing
    let (record, stage) = (sequence.current, sequence.stage)
    let action = machine.compared(
      sequence, changesValue: sequence.target != value, isOutOfDate: isOutOfDate)
    if stage == .comparing {
      var called: Record?
      if case .call = action { called = sequence.current }
      // Those that have the same value as the one compared have their turns with it.
      turns = sequence.applicators.compactMap { $0 }.filter { $0.isOutOfDate || $0 === called }
      if let record, isOutOfDate {
        XCTAssertTrue(turns.contains { $0 === record }, "no turn for an applicator out of date")
      }
      for record in turns {
        XCTAssertNotEqual(latest[ObjectIdentifier(record)], sequence.target, "up to date")
      }
    }
    goOn(action)
  }

  private mutating func goOn(_ action: Machine.Action) {
    step = action.isLast ? nil : .perform(action)
    if case .call = action, let sequence { called(sequence) }
  }

  private mutating func begin(_ sequence: Machine.Sequence) {
    let request = sequence.request
    if machine.admission != .closed {
      XCTAssertEqual(accepted.first, ObjectIdentifier(request.result), "out of turn")
    }
    accepted.removeAll { $0 == ObjectIdentifier(request.result) }
    target =
      switch request.target {
      case .value(let value), .imposed(let value, _), .reset(let value, _): value
      case .current, .place: value
      }
    XCTAssertEqual(sequence.target, target)
    XCTAssertEqual(sequence.standing, value)
    turns = []
    asked = []
  }

  private mutating func called(_ sequence: Machine.Sequence) {
    guard let record = sequence.current else { return XCTFail("nobody is called") }
    XCTAssertTrue(record.isRegistered)
    awaited = (sequence.ticket, record, sequence.target)
    XCTAssertFalse(asked.contains(ObjectIdentifier(record)), "asked twice")
    asked.append(ObjectIdentifier(record))
  }

  private mutating func finish(_ sequence: Machine.Sequence) {
    hasEnded = true
    let newValue = sequence.target
    XCTAssertEqual(sequence.changesValue, newValue != value)
    if sequence.error == nil {
      for record in turns where record.isRegistered {
        XCTAssertEqual(latest[ObjectIdentifier(record)], newValue, "success without everybody")
      }
      value = newValue
    }
    let order = turns.map { ObjectIdentifier($0) }.filter { asked.contains($0) }
    XCTAssertEqual(asked, order, "asked out of order")
    XCTAssertFalse(turns.contains { $0.isOutOfDate && $0.isRegistered }, "a turn is left over")
    // If the session has ended meanwhile, the result is already settled.
    if open[ObjectIdentifier(sequence.request.result)] != nil {
      settle(sequence.request.result, sequence.result)
    }
  }

  // MARK: Invariants

  private mutating func check() {
    for record in records {
      XCTAssertEqual(machine.latest(of: record), latest[ObjectIdentifier(record)])
    }
    let isDriven =
      switch machine.phase {
      case .idle, .blocked, .held, .taking: false
      case .running(let sequence): sequence.stage != .awaiting
      case .between: true
      }
    XCTAssertEqual(isDriven, step != nil, "who drives")
    if case .perform(.conclude) = step {} else { XCTAssertEqual(machine.value, value) }
    if let update = machine.takeUpdate(isEnding: hasEnded) { publishedPhase = update.words }
    hasEnded = false
    if let sequence = machine.sequence, sequence.stage != .comparing, sequence.hasTurns {
      XCTAssertEqual(publishedPhase, "applying \(sequence.target)")
    }
  }

  private mutating func random(_ bound: Int) -> Int {
    Int.random(in: 0..<bound, using: &generator)
  }
}

extension ParameterMachine.Effects {
  /// The results that fail, in order.
  var failures: [(result: ResultPublisher<Value, ParameterError>, error: ParameterError)] {
    rest.compactMap { effect in
      if case .fail(let request, let error) = effect { (request.result, error) } else { nil }
    }
  }
}
