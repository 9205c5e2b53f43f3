import Foundation
import TestSupport

@testable import HearingProcessing

/// A controller, and random operations that the test performs with it.
final class ChaosWorld: PresetLoading {
  let ledger = ChaosLedger()
  let controller = ProcessingController()
  private let profiles = [HearingProfile(left: .n2), HearingProfile(right: .n3), nil]
  private let presets: [Preset?]
  private let source = DefaultPresetDataSource(fitting: .techLevel(1))
  private let upDown = UpDownPresetDataSource(fitting: .techLevel(1))
  private let answers = Lock<[Answer]>([])
  private let watched = Lock<Watched?>(nil)
  private let operations = Lock(0)
  /// Whether the random operations may end the session.
  let deactivates = Lock(true)
  /// Whether applicators of the whole session may register. Such applicators connect the
  /// parameters. Without them, each parameter is independent.
  let wholeApplicators = Lock(true)
  let checked = Lock(0)
  private let inner: Lock<SeededGenerator>

  private struct Answer: Sendable {
    let work: @Sendable () -> Void
  }

  init(seed: UInt64) throws {
    let audiograms: [Audiogram?] = [nil, .n2, .n3]
    presets = try audiograms.map { audiogram in
      try audiogram.map { try Fitting.techLevel(1).preset(for: HearingProfile(left: $0)) }
    }
    inner = Lock(SeededGenerator(seed: seed ^ 0x5eed))
    activate(0)
  }

  var operationCount: Int { operations.withLock { $0 } }

  /// Queues an answer of a device. Any thread can give this answer later.
  func later(_ work: @escaping @Sendable () -> Void) {
    answers.withLock { $0.append(Answer(work: work)) }
  }

  /// Gives one of the queued answers. Returns false if the queue is empty.
  @discardableResult
  func answer(_ number: Int) -> Bool {
    let answer = answers.withLock { answers in
      answers.isEmpty ? nil : answers.remove(at: number % answers.count)
    }
    answer?.work()
    return answer != nil
  }

  func loadPreset() async throws -> Preset? {
    switch inner.withLock({ $0.next() % 4 }) {
    case 0: throw ChaosTrouble()
    case 1: await Task.yield()
    default: break
    }
    return presets[Int(inner.withLock { $0.next() % 3 })]
  }

  // MARK: Operations

  /// Performs a random operation. `members` contains the applicators of the calling thread, and
  /// `tokens` contains its observations.
  func operate(
    _ random: inout SeededGenerator, _ members: inout [any ChaosMember],
    _ tokens: inout [ObservationToken]
  ) {
    operations.withLock { $0 += 1 }
    guard let session = controller.session.value else { return activate(Int(random.next() % 3)) }
    switch Int(random.next() % 1000) {
    case 0..<50: update(session, &random)
    case 50..<350: apply(session, &random, &tokens)
    case 350..<450: answer(Int(random.next() % 1024))
    case 450..<550: interrupt(session, &random)
    case 550..<650: reload(session, &random)
    case 650..<750: register(session, &random, &members)
    case 750..<860: lose(&random, &members)
    case 860..<900: synchronize(session, &random)
    case 900..<950: changeMode(session, &random)
    case 950..<990: observe(session, &random, &tokens)
    case 990..<997: report(&random)
    default:
      guard deactivates.withLock({ $0 }) else { return }
      controller.deactivate()
      activate(Int(random.next() % 3))
    }
  }

  private func apply(
    _ session: ProcessingSession, _ random: inout SeededGenerator,
    _ tokens: inout [ObservationToken]
  ) {
    switch random.next() % 4 {
    case 0:
      ledger.watch(session.isEnabled.apply(random.next() % 2 == 0), "isEnabled")
    case 1:
      ledger.watch(session.preset.apply(presets[Int(random.next() % 3)]), "preset")
    default:
      let isNested = random.next() % 16 == 0
      let result = session.intensity.apply(intensity(&random))
      ledger.watch(result, "intensity") { [self, weak session] in
        guard isNested, let session else { return }
        let value = inner.withLock { Float($0.next() % 9) / 8 }
        ledger.watch(session.intensity.apply(value), "intensity from inside")
      }
      if random.next() % 8 == 0 {
        tokens.append(
          result.sink { _ in
          } receiveValue: { _ in
          })
      }
    }
  }

  private func update(_ session: ProcessingSession, _ random: inout SeededGenerator) {
    let (number, intensity) = (random.next(), intensity(&random))
    let result = session.update { values in
      if number & 1 == 0 { values.intensity = intensity }
      if number & 2 == 0 { values.isEnabled = number & 8 == 0 }
      if number & 4 == 0 { values.preset = presets[Int((number >> 8) % 3)] }
    }
    ledger.watch(result, "update")
  }

  private func intensity(_ random: inout SeededGenerator) -> Float {
    Float(random.next() % 9) / 8
  }

  private func interrupt(_ session: ProcessingSession, _ random: inout SeededGenerator) {
    let reason = InterruptionReason("\(random.next() % 3)")
    switch random.next() % 9 {
    case 0..<4: ledger.watch(session.interrupt(reason: reason), "interrupt \(reason)")
    case 4..<8: ledger.watch(session.resolve(interruption: reason), "resolve \(reason)")
    default:
      let number = ledger.open("withInterruption")
      Task { [ledger] in
        try? await session.withInterruption(reason: reason) { await Task.yield() }
        ledger.close(number, "withInterruption")
      }
    }
  }

  private func reload(_ session: ProcessingSession, _ random: inout SeededGenerator) {
    switch random.next() % 4 {
    case 0: source.profile = profiles[Int(random.next() % 3)]
    case 1: upDown.profile = profiles[Int(random.next() % 3)]
    default: ledger.watch(session.preset.reload(), "reload")
    }
  }

  private func register(
    _ session: ProcessingSession, _ random: inout SeededGenerator,
    _ members: inout [any ChaosMember]
  ) {
    guard members.count < 24 else { return }
    let isSynchronizing = random.next() % 4 == 0
    switch random.next() % 4 {
    case 0:
      members.append(
        ChaosUnit(
          manner(&random), in: session.isEnabled, of: session.id,
          synchronizing: isSynchronizing ? random.next() % 2 == 0 : nil, world: self))
    case 1:
      members.append(
        ChaosUnit(
          manner(&random), in: session.preset, of: session.id,
          synchronizing: isSynchronizing ? .some(presets[Int(random.next() % 3)]) : .none,
          world: self))
    case 2:
      guard wholeApplicators.withLock({ $0 }) else { return }
      members.append(
        ChaosUnit(manner(&random), session.applicator(), of: session.id, world: self) {
          session.values
        })
    default:
      members.append(
        ChaosUnit(
          manner(&random), in: session.intensity, of: session.id,
          synchronizing: isSynchronizing ? intensity(&random) : nil, world: self))
    }
  }

  private func manner<Value>(_ random: inout SeededGenerator) -> ChaosUnit<Value>.Manner {
    let all = ChaosUnit<Value>.Manner.allCases
    // Half of the devices answer without errors. Otherwise, values would rarely be applied.
    return random.next() % 2 == 0 ? .atOnce : all[Int(random.next() % UInt64(all.count))]
  }

  private func lose(_ random: inout SeededGenerator, _ members: inout [any ChaosMember]) {
    guard !members.isEmpty else { return }
    let member = members.remove(at: Int(random.next() % UInt64(members.count)))
    if random.next() % 2 == 0 { member.leave() }
  }

  private func synchronize(_ session: ProcessingSession, _ random: inout SeededGenerator) {
    switch random.next() % 3 {
    case 0: ledger.watch(session.isEnabled.synchronizeApplicators(), "synchronize isEnabled")
    case 1: ledger.watch(session.preset.synchronizeApplicators(), "synchronize preset")
    default: ledger.watch(session.intensity.synchronizeApplicators(), "synchronize intensity")
    }
  }

  private func changeMode(_ session: ProcessingSession, _ random: inout SeededGenerator) {
    let modes: [DeliveryMode] = [.continuous, .latest, .discrete(seconds: 0.000_3)]
    let mode = modes[Int(random.next() % 3)]
    switch random.next() % 4 {
    case 0: session.intensity.flush()
    case 1: session.isEnabled.deliveryMode = mode
    default: session.intensity.deliveryMode = mode
    }
  }

  private func observe(
    _ session: ProcessingSession, _ random: inout SeededGenerator,
    _ tokens: inout [ObservationToken]
  ) {
    if tokens.count > 16 { tokens.removeFirst().cancel() }
    switch random.next() % 4 {
    case 0: tokens.append(session.intensity.$updateState.sink { _ in })
    case 1: tokens.append(session.isEnabled.$value.sink { _ in })
    case 2: tokens.append(controller.session.sink { _ in })
    default: if !tokens.isEmpty { tokens.removeLast() }
    }
  }

  private func report(_ random: inout SeededGenerator) {
    let events: [ListenerEvent] = [
      .authenticated(listener: "somebody"), .profileCleared,
      .hearingTestSubmitted(HearingProfile(left: .n2)),
    ]
    ledger.watch(controller.report(events[Int(random.next() % 3)]), "report")
  }

  private func activate(_ kind: Int) {
    let sources: [PresetDataSource] = [.custom(self), .default(source), .upDown(upDown)]
    guard let session = try? controller.activate(presetDataSource: sources[kind]) else { return }
    let watch = Watched(session)
    let last = watched.withLock { watched in
      let last = watched
      watched = watch
      return last
    }
    withExtendedLifetime(last) {}
  }
}

extension ChaosWorld {
  /// Gives all queued answers. Then waits until every result has settled.
  func settle() {
    while true {
      if answer(0) { continue }
      if ledger.isEmpty, isQuiet { return }
      Thread.sleep(forTimeInterval: 0.000_2)
    }
  }

  private var isQuiet: Bool {
    guard let session = controller.session.value else { return true }
    return session.isEnabled.updateState.isQuiet && session.intensity.updateState.isQuiet
      && session.preset.updateState.isQuiet
  }

  /// Checks the state of the session after all threads have stopped and all results have settled.
  func check(_ members: [any ChaosMember]) {
    guard let session = controller.session.value else { return }
    let own = members.filter { $0.session == session.id }
    checked.withLock { $0 += own.count }
    for difference in own.compactMap({ $0.differenceFromRecord() }) {
      ledger.fault("record: \(difference)")
    }
    if session.isInterrupted, session.isEnabled.value { ledger.fault("interrupted and enabled") }
    if session.isInterrupted == session.interruptions.isEmpty { ledger.fault("reasons") }
    checkWatched(session)
    for member in members { member.behave() }
    // If `withInterruption` could not restore the value of `isEnabled`, the session still has the
    // reason of this interruption.
    let resolved = session.interruptions.map { session.resolve(interruption: $0) }
    for result in resolved { ledger.watch(result, "last resolve") }
    settle()
    checkNothingAmplifies(session)
    if session.isInterrupted {
      ledger.fault("cannot be resolved: \(session.interruptions), \(resolved.map(\.outcome))")
    }
    ledger.watch(session.isEnabled.synchronizeApplicators(), "last isEnabled")
    ledger.watch(session.intensity.synchronizeApplicators(), "last intensity")
    ledger.watch(session.preset.synchronizeApplicators(), "last preset")
    ledger.watch(session.update { _ in }, "last update")
    settle()
    for difference in own.compactMap({ $0.differenceFromParameter() }) {
      ledger.fault("synchronized: \(difference)")
    }
    checkWatched(session)
  }

  /// Interrupts the session. At this point, every device answers without errors. Therefore every
  /// device must be switched off.
  private func checkNothingAmplifies(_ session: ProcessingSession) {
    let interrupted = session.interrupt(reason: "last")
    ledger.watch(interrupted, "last interrupt")
    settle()
    if interrupted.valueNow != true {
      ledger.fault("not interrupted: \(String(describing: interrupted.failureNow))")
    }
    if session.mayAmplify {
      ledger.fault("an applicator may be enabled during an interruption")
    }
    ledger.watch(session.resolve(interruption: "last"), "resolve the last interrupt")
    settle()
  }

  private func checkWatched(_ session: ProcessingSession) {
    guard let watched = watched.withLock({ $0 }), watched.session == session.id else { return }
    if watched.differs(from: session) { ledger.fault("a subscriber saw something else last") }
  }

  /// The state of the test as text. It is printed if there is no progress.
  var dump: String {
    let session = controller.session.value
    return """
      \(operationCount) operations, \(ledger.count) results; owed answers: \
      \(answers.withLock { $0.count })
      isEnabled: \(session.map { "\($0.isEnabled.updateState)" } ?? "no session")
      intensity: \(session.map { "\($0.intensity.updateState)" } ?? "no session")
      preset: \(session.map { "\($0.preset.updateState)" } ?? "no session")
      interruptions: \(session.map { "\($0.interruptions)" } ?? "no session")
      outstanding: \(ledger.open.prefix(50).joined(separator: "\n  "))
      """
  }
}

extension UpdateState {
  fileprivate var isQuiet: Bool {
    switch self {
    case .applied, .failed: true
    case .waiting, .loading, .applying: false
    }
  }
}

/// The latest values that the subscribers of a session have received.
private final class Watched: Sendable {
  let session: UUID
  private let isEnabled = Lock<Bool?>(nil)
  private let intensity = Lock<Float?>(nil)
  private let isInterrupted = Lock<Bool?>(nil)
  private let values = Lock<SessionValues?>(nil)
  private let tokens = Lock<[ObservationToken]>([])

  init(_ session: ProcessingSession) {
    self.session = session.id
    let watching = [
      session.isEnabled.$value.sink { [weak self] value in self?.isEnabled.withLock { $0 = value }
      },
      session.intensity.$value.sink { [weak self] value in self?.intensity.withLock { $0 = value }
      },
      session.$isInterrupted.sink { [weak self] value in
        self?.isInterrupted.withLock { $0 = value }
      },
      session.$values.sink { [weak self] value in self?.values.withLock { $0 = value } },
    ]
    tokens.withLock { $0 = watching }
  }

  func differs(from session: ProcessingSession) -> Bool {
    isEnabled.withLock { $0 } != session.isEnabled.value
      || intensity.withLock { $0 } != session.intensity.value
      || isInterrupted.withLock { $0 } != session.isInterrupted
      || values.withLock { $0 } != session.values
  }
}
