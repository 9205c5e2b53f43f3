import Foundation
import HearingProcessing
import TestSupport
import XCTest

/// Runs random programs with a session and with its `SessionModel`. After each step, both must have
/// the same calls, results, values, interruption reasons and applied values.
final class SessionModelTests: TimedTestCase {
  override var timeLimit: Double { 3_600 }

  /// The environment variable `MODEL_PROGRAMS` sets the number of programs. Each program has 25
  /// steps. The script `.ci/run` runs the default number of programs in a debug build. The script
  /// `.ci/long` runs 400,000 programs.
  func test_randomSequencesOfCalls_behaveAsTheModelPredicts() throws {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    let environment = ProcessInfo.processInfo.environment
    let programs = environment["MODEL_PROGRAMS"].flatMap { Int($0) } ?? 3_000
    var (calls, failures) = (0, 0)
    for number in 0..<programs {
      let program = try SessionProgram(seed: seed &+ UInt64(number))
      if let fault = program.run(steps: 25) {
        return XCTFail("seed \(seed), program \(number): \(fault)\n\(program.script)")
      }
      calls += program.model.calls.count
      failures += program.model.results.values.count { $0 != "succeeds" }
    }
    print("\(calls) calls, \(failures) requests failed")
    XCTAssertGreaterThan(calls, 2 * programs)
    XCTAssertGreaterThan(failures, programs)
  }
}

// This type is Sendable, because all its code runs on one thread.
/// A program that performs the same random steps on a session and on its model.
private final class SessionProgram: @unchecked Sendable {
  let model = SessionModel()
  private(set) var script = ""
  private var random: SeededGenerator
  private let scheduler = ManualScheduler()
  private let session: ProcessingSession
  private let controller: ProcessingController
  private var devices: [Int: Device] = [:]
  private var calls: [String] = []
  private var results: [Int: String] = [:]
  private var count = 0
  private static let presets: [Preset?] = [
    nil, try? Fitting.techLevel(1).preset(for: HearingProfile(left: .n2)),
    try? Fitting.techLevel(1).preset(for: HearingProfile(right: .n3)),
  ]

  /// The simulated target of an applicator.
  final class Device {
    let lane: Int
    var manner = SessionModel.Manner.succeeds
    var owed: ((ApplicationResult) -> Void)?
    var latest: () -> [Int]? = { nil }
    var setHandler: () -> Void = {}
    var leave: () -> Void = {}

    init(_ lane: Int) {
      self.lane = lane
    }
  }

  init(seed: UInt64) throws {
    random = SeededGenerator(seed: seed)
    controller = ProcessingController(scheduler: scheduler)
    session = try controller.activate(
      presetDataSource: .default(DefaultPresetDataSource(fitting: .techLevel(1))))
  }

  func run(steps: Int) -> String? {
    for step in 0..<steps {
      play()
      if let difference { return "step \(step): \(difference)" }
    }
    return nil
  }

  // MARK: Steps

  private func play() {
    // A call executes at most 32 other requests. A thread of the library would execute the
    // remaining ones. This program must stay on one thread, so fewer than 32 requests may wait.
    if model.waiting.count > 10 { return answer() }
    switch number(40) {
    case 0..<7: apply()
    case 7..<11: update()
    case 11..<20: answer()
    case 20..<25: join()
    case 25: leave()
    case 26, 27: setHandler()
    case 28, 29: synchronize()
    case 30..<33: interrupt()
    case 33..<36: resolve()
    case 36: changeMode()
    case 37: changeManner()
    case 38: advance()
    default: if number(6) == 0 { deactivate() } else { advance() }
    }
  }

  private func apply() {
    let lane = number(3)
    let value = number([3, 5, 2][lane])
    note("apply lane \(lane) value \(value)")
    let id = submit(.apply, [lane: value])
    switch lane {
    case 0: watch(session.preset.apply(Self.presets[value]), id)
    case 1: watch(session.intensity.apply(Float(value) / 4), id)
    default: watch(session.isEnabled.apply(value == 1), id)
    }
  }

  private func update() {
    let requested = (0..<3).map { model.requested($0) }
    var assigned: [Int: Int] = [:]
    for lane in 0..<3 where number(2) == 0 {
      assigned[lane] = number(3) == 0 ? requested[lane] : number([3, 5, 2][lane])
    }
    note("update of \(requested), which assigns \(assigned)")
    let id =
      assigned.isEmpty ? submit(.nothing, [:], lanes: [0, 1, 2]) : submit(.update, assigned)
    let result = session.update { values in
      if !model.isClosed, Self.numbers(values) != requested {
        calls.append("update of \(Self.numbers(values))")
      }
      if let preset = assigned[0] { values.preset = Self.presets[preset] }
      if let intensity = assigned[1] { values.intensity = Float(intensity) / 4 }
      if let isEnabled = assigned[2] { values.isEnabled = isEnabled == 1 }
    }
    watch(result, id)
  }

  private func synchronize() {
    let lane = number(3)
    note("synchronize lane \(lane)")
    let id = submit(.synchronize, [:], lanes: [lane])
    switch lane {
    case 0: watch(session.preset.synchronizeApplicators(), id)
    case 1: watch(session.intensity.synchronizeApplicators(), id)
    default: watch(session.isEnabled.synchronizeApplicators(), id)
    }
  }

  private func interrupt() {
    let reason = number(2)
    note("interrupt \(reason)")
    let id = submit(.off(reason), [:], lanes: [2])
    watch(session.interrupt(reason: "\(reason)"), id)
  }

  private func resolve() {
    let reason = number(2)
    note("resolve \(reason)")
    let id = submit(.resolve(reason), [:], lanes: [2])
    watch(session.resolve(interruption: "\(reason)"), id)
  }

  private func changeMode() {
    let modes: [(SessionModel.Mode, DeliveryMode)] = [
      (.continuous, .continuous), (.latest, .latest), (.discrete, .discrete(seconds: 0.2)),
    ]
    let (mode, real) = modes[number(3)]
    note("mode \(mode)")
    model.setMode(mode)
    session.intensity.deliveryMode = real
  }

  private func advance() {
    let milliseconds = [100, 250, 1_000][number(3)]
    note("advance \(milliseconds)")
    model.advance(by: milliseconds)
    scheduler.advance(by: .milliseconds(milliseconds))
  }

  private func deactivate() {
    note("deactivate")
    model.close()
    controller.deactivate()
  }

  // MARK: Devices

  private func join() {
    guard devices.count < 7 else { return }
    count += 1
    let (lane, id) = (number(4), count)
    let device = Device(lane)
    devices[id] = device
    model.devices[id] = .init(lane: lane, manner: .succeeds, hasHandler: false)
    model.order.append(id)
    switch lane {
    case 0: join(id, device, session.preset, Self.presets[number(3)])
    case 1:
      let value = number(5)
      let isSynchronizing = number(3) == 0
      note("join \(id) lane 1, \(isSynchronizing ? "synchronizing" : "at") \(value)")
      if isSynchronizing {
        model.devices[id]?.latest = [value]
        let request = submit(.apply, [1: value], isImmediate: true)
        let (applicator, result) = session.intensity.applicator(synchronizing: Float(value) / 4)
        watch(result, request)
        connect(id, device, applicator) { [Int($0 * 4)] }
      } else {
        let applicator = session.intensity.applicator()
        connect(id, device, applicator) { [Int($0 * 4)] }
      }
    case 2:
      let start = number(3)
      note("join \(id) lane 2, \(["without a value", "at false", "synchronizing true"][start])")
      if start == 2 {
        model.devices[id]?.latest = [1]
        let request = submit(.apply, [2: 1], isImmediate: true)
        let (applicator, result) = session.isEnabled.applicator(synchronizing: true)
        watch(result, request)
        connect(id, device, applicator) { [$0 ? 1 : 0] }
      } else if start == 1 {
        model.devices[id]?.latest = [0]
        let request = submit(.apply, [2: 0], isImmediate: true)
        let (applicator, result) = session.isEnabled.applicator(synchronizing: false)
        watch(result, request)
        connect(id, device, applicator) { [$0 ? 1 : 0] }
      } else {
        connect(id, device, session.isEnabled.applicator()) { [$0 ? 1 : 0] }
      }
    default:
      note("join \(id) of the whole session")
      connect(id, device, session.applicator()) { Self.numbers($0) }
    }
    if number(4) > 0 { setHandler(id) }
  }

  private func join(
    _ id: Int, _ device: Device, _ parameter: RemoteProcessingParameter<Preset?>, _ value: Preset?
  ) {
    note("join \(id) lane 0")
    connect(id, device, parameter.applicator()) { [Self.presets.firstIndex(of: $0) ?? -1] }
  }

  private func connect<Value: Equatable & Sendable>(
    _ id: Int, _ device: Device, _ applicator: ProcessingApplicator<Value>,
    _ numbers: @escaping (Value) -> [Int]
  ) {
    var held: ProcessingApplicator<Value>? = applicator.timeout(1.2).canApply {
      [unowned self] _ in devices[id]?.manner != .refuses
    }
    let numbers = Unchecked(numbers)
    device.latest = { held?.latestAppliedValue.map { numbers.value($0) } }
    device.leave = { held = nil }
    device.setHandler = {
      held = held?.apply { [unowned self] value, result in
        calls.append("\(id) applies \(numbers.value(value))")
        guard let device = devices[id] else { return result(.success) }
        switch device.manner {
        case .succeeds: result(.success)
        case .fails: result(.failure(Trouble()))
        case .refuses, .answersLater: device.owed = { result($0) }
        }
      }
    }
  }

  private func setHandler() {
    if let id = devices.keys.sorted().randomElement(using: &random) { setHandler(id) }
  }

  private func setHandler(_ id: Int) {
    note("handler of \(id)")
    count += 1
    model.setHandler(id, id: count)
    devices[id]?.setHandler()
  }

  private func leave() {
    guard let id = devices.keys.sorted().randomElement(using: &random) else { return }
    note("\(id) leaves")
    model.leave(id)
    let device = devices.removeValue(forKey: id)
    device?.leave()
    device?.owed = nil
  }

  private func changeManner() {
    guard let id = devices.keys.sorted().randomElement(using: &random) else { return }
    let manner = SessionModel.Manner.allCases[number(4)]
    note("\(id) \(manner)")
    model.devices[id]?.manner = manner
    devices[id]?.manner = manner
  }

  private func answer() {
    let owing = devices.filter { $0.value.owed != nil }.keys.sorted()
    guard let id = owing.randomElement(using: &random), let device = devices[id] else {
      return number(2) == 0 ? changeManner() : advance()
    }
    let kind = number(4)
    note("\(id) \(["gives no answer", "fails", "succeeds", "succeeds"][kind])")
    let owed = device.owed.take()
    switch kind {
    case 0:
      model.answer(device: id, nil)
      withExtendedLifetime(owed) {}
    case 1:
      model.answer(device: id, false)
      owed?(.failure(Trouble()))
    default:
      model.answer(device: id, true)
      owed?(.success)
    }
  }

  // MARK: Comparing

  private var difference: String? {
    if calls != model.calls { return "calls \(calls), model \(model.calls)" }
    if results != model.results { return "results \(results), model \(model.results)" }
    if Self.numbers(session.values) != model.values {
      return "values \(Self.numbers(session.values)), model \(model.values)"
    }
    let single = [
      Self.presets.firstIndex(of: session.preset.value) ?? -1, Int(session.intensity.value * 4),
      session.isEnabled.value ? 1 : 0,
    ]
    if single != model.values { return "parameters \(single), model \(model.values)" }
    let reasons = Set(session.interruptions.compactMap { Int($0.description) })
    if reasons != model.reasons { return "reasons \(reasons), model \(model.reasons)" }
    if session.isInterrupted == reasons.isEmpty { return "isInterrupted \(session.isInterrupted)" }
    if session.isInterrupted, session.isEnabled.value { return "interrupted and enabled" }
    for (id, device) in devices where device.latest() != model.devices[id]?.latest {
      return "\(id) has \(String(describing: device.latest())), model "
        + String(describing: model.devices[id]?.latest)
    }
    return nil
  }

  private func submit(
    _ kind: SessionModel.Request.Kind, _ targets: [Int: Int], lanes: Set<Int>? = nil,
    isImmediate: Bool = false
  ) -> Int {
    count += 1
    model.submit(
      .init(
        id: count, kind: kind, targets: targets, lanes: lanes ?? Set(targets.keys),
        isImmediate: isImmediate))
    return count
  }

  private func watch<Value: Sendable>(_ result: ResultPublisher<Value, ParameterError>, _ id: Int) {
    result.observe { [unowned self] in
      if case .failure(let error) = $0 {
        results[id] = error.word
      } else {
        results[id] = "succeeds"
      }
      if results[id]?.hasPrefix("applyFailed") == true { results[id] = "applyFailed" }
    }
  }

  private func watch(_ result: ResultPublisher<Bool, ProcessingError>, _ id: Int) {
    result.observe { [unowned self] in
      switch $0 {
      case .success: results[id] = "succeeds"
      case .failure(.parameter(.applyFailed)): results[id] = "applyFailed"
      case .failure(.parameter(let error)): results[id] = error.word
      case .failure(.sessionDeactivated): results[id] = "sessionDeactivated"
      case .failure(.interruptionNotFound): results[id] = "interruptionNotFound"
      case .failure(.notInterrupted): results[id] = "notInterrupted"
      case .failure(let error): results[id] = "\(error)"
      }
    }
  }

  private static func numbers(_ values: SessionValues) -> [Int] {
    [
      presets.firstIndex(of: values.preset) ?? -1, Int(values.intensity * 4),
      values.isEnabled ? 1 : 0,
    ]
  }

  private func note(_ line: String) {
    script += line + "\n"
  }

  private func number(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }
}

// This type is Sendable, because all its code runs on one thread.
private struct Unchecked<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) {
    self.value = value
  }
}
