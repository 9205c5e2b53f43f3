import HearingProcessing
import TestSupport
import XCTest

/// Simulates an app that uses a session. Random events occur one after another on one thread. After
/// each event, the session is compared with a model.
///
/// The model consists of the pending requests in the order of their calls, and of the current
/// values. It has no queues and no locks. A request that succeeds changes the values of the model.
/// Nothing else may change the values of the session.
// This type is Sendable, because all its code runs on one thread.
final class UpdateWorld: @unchecked Sendable {
  private var random: SeededGenerator
  private let scheduler = ManualScheduler()
  private let controller: ProcessingController
  let session: ProcessingSession
  private let presets: [Preset?]

  /// A request that has not settled yet.
  private struct Asked {
    let number: Int
    /// The change that the request makes. It is nil for `synchronizeApplicators`, and for an update
    /// without changes.
    var change: ((inout SessionValues) -> Void)?
    var fields: Set<Int>
    /// Whether a later request for the same parameter may supersede this request.
    var isSingle: Bool
    /// Whether the request waits for the interval of its delivery mode. While it waits, later
    /// requests for other parameters may finish earlier.
    var isDebounced: Bool
    /// Whether all parameters had one common queue when the app made this request.
    var isInLine: Bool
  }

  private var open: [Asked] = []
  private var count = 0
  private var values = SessionValues()
  private var published: [SessionValues] = []
  private var committed: [SessionValues] = [SessionValues()]
  private(set) var settled = (success: 0, failure: 0)
  private(set) var calls = 0
  private var devices: [any WorldDevice] = []
  fileprivate var owed: [Owed] = []
  private var tokens: [ObservationToken] = []
  private var reasons: Set<String> = []
  private var leaving: ObjectIdentifier?
  private var faults: [String] = []

  /// A call of an applicator that its device has not answered yet.
  struct Owed {
    let device: ObjectIdentifier
    let deadline: Duration
    let isOfWholeSession: Bool
    let answer: (ApplicationResult) -> Void
  }

  init(seed: UInt64) throws {
    random = SeededGenerator(seed: seed)
    controller = ProcessingController(scheduler: scheduler)
    session = try controller.activate(
      presetDataSource: .default(DefaultPresetDataSource(fitting: .techLevel(2))))
    let preset = try Fitting.techLevel(1).preset(for: HearingProfile(left: .n2))
    presets = [nil, preset, try Fitting.techLevel(1).preset(for: HearingProfile(right: .n3))]
    tokens.append(session.$values.sink { [unowned self] in published.append($0) })
  }

  func play(_ events: Int) -> [String] {
    for event in 0..<events {
      playOne()
      check("event \(event)")
      if !faults.isEmpty { return faults }
    }
    settleEverything()
    return faults
  }

  private func playOne() {
    // A call executes at most 32 other requests. A thread of the library would execute the
    // remaining ones. This test must stay on one thread, so fewer than 32 requests may wait.
    if open.count > 20 { return answer() }
    switch number(40) {
    case 0..<8: apply()
    case 8..<16: update()
    case 16..<26: answer()
    case 26: synchronize()
    case 27, 28: join()
    case 29, 30: if devices.count > 2 { devices.remove(at: number(devices.count)).leave() }
    case 31: changeMode()
    case 32: session.intensity.flush()
    case 33: interrupt()
    case 34, 35: resolve()
    case 36: for device in devices { device.mood = number(4) }
    default: scheduler.advance(by: .milliseconds(100 * number(4)))
    }
  }

  // MARK: Requests

  private func apply() {
    let isDebounced: Bool
    switch number(3) {
    case 0:
      let value = presets[number(3)]
      ask([0], isSingle: true, { $0.preset = value }) { session.preset.apply(value) }
    case 1:
      let value = Float(number(5)) / 4
      isDebounced = session.intensity.deliveryMode == .discrete(seconds: 0.2)
      ask([1], isSingle: true, isDebounced: isDebounced, { $0.intensity = value }) {
        session.intensity.apply(value)
      }
    default:
      let value = number(2) == 0
      ask([2], isSingle: true, { $0.isEnabled = value }) { session.isEnabled.apply(value) }
    }
  }

  private func update() {
    var changes: [(inout SessionValues) -> Void] = []
    var fields: Set<Int> = []
    if number(2) == 0 {
      let preset = presets[number(3)]
      changes.append { $0.preset = preset }
      fields.insert(0)
    }
    if number(2) == 0 {
      let intensity = Float(number(5)) / 4
      changes.append { $0.intensity = intensity }
      fields.insert(1)
    }
    if number(3) == 0 {
      let isEnabled = number(2) == 0
      changes.append { $0.isEnabled = isEnabled }
      fields.insert(2)
    }
    count += 1
    let id = count
    let devicesInLine = isInLine
    // The update may finish before the function `update` returns.
    open.append(
      Asked(
        number: id, change: { [changes] in for change in changes { change(&$0) } }, fields: fields,
        isSingle: false, isDebounced: false, isInLine: devicesInLine))
    let result = session.update { values in for change in changes { change(&values) } }
    watch(result, id) { [unowned self] result in
      // The result of an update without changes also contains the values that were being applied at
      // that time.
      if fields.isEmpty { values = result }
      if result != session.values { fault("the result of an update is not in force") }
    }
  }

  private func synchronize() {
    switch number(3) {
    case 0: ask([0], isSingle: false, nil) { session.preset.synchronizeApplicators() }
    case 1: ask([1], isSingle: false, nil) { session.intensity.synchronizeApplicators() }
    default: ask([2], isSingle: false, nil) { session.isEnabled.synchronizeApplicators() }
    }
  }

  private func ask<Value: Sendable>(
    _ fields: Set<Int>, isSingle: Bool, isDebounced: Bool = false,
    _ change: ((inout SessionValues) -> Void)?,
    _ work: () -> ResultPublisher<Value, ParameterError>
  ) {
    count += 1
    let id = count
    open.append(
      Asked(
        number: id, change: change, fields: fields, isSingle: isSingle, isDebounced: isDebounced,
        isInLine: isInLine))
    watch(work(), id) { _ in }
  }

  private func watch<Value: Sendable>(
    _ result: ResultPublisher<Value, ParameterError>, _ id: Int,
    _ succeeded: @escaping (Value) -> Void
  ) {
    let succeeded = Unchecked(succeeded)
    tokens.append(
      result.sink { [unowned self] result in
        guard let index = open.firstIndex(where: { $0.number == id }) else {
          return fault("request \(id) has two results")
        }
        let asked = open.remove(at: index)
        switch result {
        case .success(let value):
          settled.success += 1
          for earlier in open[..<index] where isOutOfTurn(asked, earlier) {
            fault("request \(id) succeeds before \(earlier.number)")
          }
          asked.change?(&values)
          succeeded.value(value)
        case .failure(let error):
          settled.failure += 1
          if case .superseded = error, !asked.isSingle { fault("an update was superseded") }
          // An update without changes waits for values that are being applied, possibly for
          // `isEnabled`. Therefore an interruption can end it. If there is an applicator of the
          // whole session, an interruption ends every value that is being applied.
          let concernsEnabling = asked.fields.isEmpty || asked.fields.contains(2) || isInLine
          if case .interrupted = error, !concernsEnabling { fault("\(id) interrupted") }
        }
      })
    if tokens.count > 4_000 { tokens.removeSubrange(1..<2_000) }
  }

  private func isOutOfTurn(_ asked: Asked, _ earlier: Asked) -> Bool {
    if earlier.isDebounced || asked.isDebounced { return false }
    if !asked.fields.isDisjoint(with: earlier.fields) { return true }
    return earlier.isInLine && asked.isInLine && !earlier.fields.isEmpty && !asked.fields.isEmpty
  }

  // MARK: Interruptions

  private func interrupt() {
    let reason = "\(number(2))"
    let result = session.interrupt(reason: reason)
    tokens.append(
      result.sink { [unowned self] _ in
        // The session records the reason of the interruption even if the call fails.
        reasons.insert(reason)
        values.isEnabled = false
      })
  }

  private func resolve() {
    let reason = "\(number(2))"
    let result = session.resolve(interruption: reason)
    tokens.append(
      result.sink { [unowned self] result in
        guard case .success(let isInterrupted) = result else { return }
        reasons.remove(reason)
        // The session decides which value it restores. Therefore the model copies the value from
        // the session.
        if !isInterrupted { values.isEnabled = session.isEnabled.value }
      })
  }

  // MARK: Devices

  private func join() {
    guard devices.count < 6 else { return }
    switch number(5) {
    case 0: devices.append(TestDevice(session.preset.applicator(), self))
    case 1: devices.append(TestDevice(session.intensity.applicator(), self))
    case 2: devices.append(TestDevice(session.isEnabled.applicator(), self))
    default: devices.append(TestDevice(session.applicator(), self, isOfWholeSession: true))
    }
  }

  var isInLine: Bool { devices.contains { $0.isOfWholeSession } }
  var now: Duration { scheduler.now }

  fileprivate func called(_ call: Owed) {
    calls += 1
    forget { [now] in $0.deadline <= now }
    let others = owed.filter { $0.isOfWholeSession && $0.device != leaving }
    if call.isOfWholeSession, !others.isEmpty {
      fault("calls of the whole session's applicators overlap")
    }
  }

  private func answer() {
    if owed.isEmpty { scheduler.advance(by: .milliseconds(200)) }
    forget { [now] in $0.deadline <= now }
    guard !owed.isEmpty else { return }
    let call = owed.remove(at: number(owed.count))
    call.answer(number(4) == 0 ? .failure(Trouble()) : .success)
  }

  /// Removes a device. The model no longer waits for the answers of this device.
  fileprivate func leave(_ device: ObjectIdentifier, _ release: () -> Void) {
    leaving = device
    // If no applicator of the whole session is left, requests for different parameters are
    // independent.
    if !isInLine { for index in open.indices { open[index].isInLine = false } }
    release()
    leaving = nil
    forget { $0.device == device }
  }

  /// Removes calls from `owed` and then releases them. A release may add or remove entries of
  /// `owed`, so `owed` must not be modified during the release.
  private func forget(_ isForgotten: (Owed) -> Bool) {
    let all = owed
    owed = all.filter { !isForgotten($0) }
    withExtendedLifetime(all) {}
  }

  private func changeMode() {
    let modes: [DeliveryMode] = [.continuous, .latest, .discrete(seconds: 0.2)]
    session.intensity.deliveryMode = modes[number(3)]
  }

  // MARK: Invariants

  private func check(_ moment: String) {
    if session.values != values {
      fault("\(moment): the session has \(session.values), the model \(values)")
    }
    if published.last != values { fault("\(moment): $values published something else last") }
    for (before, after) in zip(published, published.dropFirst()) where before == after {
      fault("\(moment): $values published the same values twice")
    }
    published = published.suffix(1)
    if session.isInterrupted != !reasons.isEmpty { fault("\(moment): interruptions differ") }
    if session.isInterrupted, session.values.isEnabled { fault("\(moment): enabled") }
  }

  private func settleEverything() {
    for device in devices { device.mood = 0 }
    for reason in ["0", "1"] {
      session.resolve(interruption: reason)
      drain()
      reasons.remove(reason)
    }
    values.isEnabled = session.isEnabled.value
    drain()
    if !open.isEmpty { fault("\(open.count) results are lost: \(open.map(\.number))") }
    check("at the end")
    session.update { _ in }
    for device in devices { device.check(session) }
    controller.deactivate()
  }

  private func drain() {
    for _ in 0..<2_000 {
      if let call = owed.popLast() { call.answer(.success) }
      scheduler.advance(by: .seconds(1))
      if open.isEmpty, owed.isEmpty { break }
    }
  }

  func fault(_ text: String) {
    faults.append(text)
  }

  func number(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }

}

// This type is Sendable, because all its code runs on one thread.
private struct Unchecked<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) {
    self.value = value
  }
}

/// The simulated target of an applicator, without the type of its values.
private protocol WorldDevice: AnyObject {
  var isOfWholeSession: Bool { get }
  /// How the device answers: 0 immediately, 1 later, 2 it refuses, 3 it fails.
  var mood: Int { get set }
  func leave()
  /// Compares the applied value of the device with the value of the session.
  func check(_ session: ProcessingSession)
}

// This type is Sendable, because all its code runs on one thread.
private final class TestDevice<Value: Equatable & Sendable>: WorldDevice, @unchecked Sendable {
  let isOfWholeSession: Bool
  var mood = 0
  private var applicator: ProcessingApplicator<Value>?
  private unowned let world: UpdateWorld

  init(
    _ applicator: ProcessingApplicator<Value>, _ world: UpdateWorld, isOfWholeSession: Bool = false
  ) {
    self.isOfWholeSession = isOfWholeSession
    self.world = world
    mood = world.number(3)
    self.applicator = applicator.timeout(1)
      .canApply { [unowned self] _ in mood != 2 }
      .apply { [unowned self, unowned world] _, result in
        let call = UpdateWorld.Owed(
          device: ObjectIdentifier(self), deadline: world.now + .seconds(1),
          isOfWholeSession: isOfWholeSession,
          answer: { result($0) })
        world.called(call)
        switch mood {
        case 0: result(.success)
        case 3: result(.failure(Trouble()))
        default: world.owed.append(call)
        }
      }
  }

  func leave() {
    world.leave(ObjectIdentifier(self)) { applicator = nil }
  }

  func check(_ session: ProcessingSession) {
    guard isOfWholeSession, let latest = applicator?.latestAppliedValue as? SessionValues else {
      return
    }
    XCTAssertEqual(latest, session.values)
  }
}
