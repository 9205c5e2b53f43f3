/// A simple model of a session, without locks, threads or generics. All values are numbers: preset
/// 0…2, intensity 0…4 and isEnabled 0…1. These parameters have the indices (lanes) 0, 1 and 2.
/// Index 3 stands for applicators of the whole session, which apply all three values.
final class SessionModel {
  var values = [0, 4, 0]
  var reasons: Set<Int> = []
  var valueToRestore = 0
  var isClosed = false
  var devices: [Int: Device] = [:]
  var order: [Int] = []
  var waiting: [Request] = []
  var running: [Request] = []
  /// The identifiers of the requests that are running but have not called an applicator yet.
  var started: [Int] = []
  var isDriving = false
  /// A request for the intensity that waits for the interval of the discrete mode, and the time at
  /// which this interval ends.
  var debounced: (request: Request, deadline: Int)?
  var mode = Mode.continuous
  var now = 0
  /// `calls` contains the calls of applicators. `results` contains the results of requests.
  var calls: [String] = []
  var results: [Int: String] = [:]

  var timerCount = 0

  enum Mode { case continuous, latest, discrete }

  /// The manner in which the device of an applicator answers.
  enum Manner: CaseIterable { case succeeds, fails, refuses, answersLater }

  struct Device {
    let lane: Int
    var manner: Manner
    var hasHandler: Bool
    /// The latest applied values. They are nil if they are unknown, or if no value was applied.
    var latest: [Int]?
    /// Whether the device did not answer its last call.
    var isUnknown = false

    /// Whether the device may still have the value true for `isEnabled` while the session is
    /// interrupted.
    var mayAmplify: Bool { hasHandler && lane >= 2 && latest?.last != 0 }
  }

  struct Request {
    enum Kind: Equatable {
      /// `nothing` is an update without changes. It only brings applicators of the whole session up
      /// to date.
      case apply, update, synchronize, nothing, off(Int?), resolve(Int)
    }
    let id: Int
    let kind: Kind
    /// The requested value of each lane. It is empty if the request has no value.
    var targets: [Int: Int] = [:]
    var lanes: Set<Int>
    /// Whether the request starts without the delay of the delivery mode.
    var isImmediate = false
    /// The devices that the request must still call. They include the device that was called but
    /// has not answered.
    var pending: [Int] = []
    /// The devices that did not answer when the request switched them off. The request calls them
    /// again at the end.
    var postponed: [Int] = []
    var isSecondRound = false
    var isInterrupted = false
    var called: (device: Int, deadline: Int)?
    var claimed: Set<Int> = []
    var failure: String?
    /// The time at which an interruption stops waiting for running requests.
    var limit: Int?
    /// The numbers of the timers for `called` and `limit`. If two timers have the same deadline,
    /// the timer with the lower number fires first.
    var callTimer = 0, limitTimer = 0
    var isRecovering = false
    var hasNothingToDo = false

    var isOff: Bool { if case .off = kind { true } else { isRecovering } }
    var carriesValue: Bool { kind == .apply || kind == .update }
  }

  var isInterrupted: Bool { !reasons.isEmpty }
  var isRefusing: Bool {
    isInterrupted
      || (waiting + running).contains { if case .off(.some) = $0.kind { true } else { false } }
  }

  // MARK: Calls of the app

  func submit(_ request: Request) {
    if isClosed { return settle(request, "sessionDeactivated") }
    if request.carriesValue, request.lanes.contains(2), isRefusing {
      return settle(request, "interrupted")
    }
    if request.carriesValue, request.lanes.contains(1) {
      if let (overtaken, _) = debounced {
        debounced = nil
        settle(overtaken, "superseded")
      }
      if mode == .discrete, request.kind == .apply, !request.isImmediate {
        debounced = (request, now + 200)
        return
      }
    }
    enqueue(request)
  }

  func enqueue(_ request: Request) {
    if mode == .latest, request.carriesValue, request.lanes.contains(1) {
      end(with: "superseded") { $0.kind == .apply && $0.lanes == [1] }
    }
    if case .off(let reason) = request.kind {
      if reason != nil { end(with: "interrupted") { $0.carriesValue && $0.lanes.contains(2) } }
      // The request goes before all other waiting requests. It goes after earlier interruptions and
      // resolutions.
      let ahead = waiting.filter(\.isInterruption)
      var request = request
      request.limit = now + 1_000
      request.limitTimer = nextTimer()
      waiting = ahead + [request] + waiting.filter { !$0.isInterruption }
    } else {
      waiting.append(request)
    }
    startAll()
  }

  /// Ends running requests that block an interruption: values, synchronizations and second rounds
  /// of calls.
  func interrupt(for off: Request) {
    for request in running where !request.claimed.isDisjoint(with: claim(off)) {
      change(request.id) { $0.isInterrupted = true }
      guard let called = request.called, request.isSecondRound || !request.isInterruption else {
        continue
      }
      change(request.id) { $0.called = nil }
      devices[called.device]?.latest = nil
      devices[called.device]?.isUnknown = true
      fail(request.id, request.isSecondRound ? "applyTimeoutExceeded" : "interrupted")
      proceed(request.id)
    }
  }

  func end(with error: String, _ isEnded: (Request) -> Bool) {
    let ended = waiting.filter(isEnded)
    waiting.removeAll(where: isEnded)
    for request in ended { settle(request, error) }
  }

  func advance(by duration: Int) {
    let end = now + duration
    while let next =
      (running.compactMap(\.called?.deadline) + waiting.compactMap(\.limit)
      + [debounced?.deadline].compactMap { $0 }).filter({ $0 <= end }).min()
    {
      now = next
      if let (request, deadline) = debounced, deadline == next {
        debounced = nil
        enqueue(request)
        continue
      }
      let call = running.indices.filter { running[$0].called?.deadline == next }
        .min { running[$0].callTimer < running[$1].callTimer }
      let limit = waiting.indices.filter { waiting[$0].limit == next }
        .min { waiting[$0].limitTimer < waiting[$1].limitTimer }
      if let limit, call.map({ waiting[limit].limitTimer < running[$0].callTimer }) ?? true {
        waiting[limit].limit = nil
        interrupt(for: waiting[limit])
      } else if let call {
        answer(call, nil)
      }
    }
    now = end
  }

  func nextTimer() -> Int {
    timerCount += 1
    return timerCount
  }

  func setMode(_ mode: Mode) {
    self.mode = mode
    if mode == .continuous, let (request, _) = debounced {
      debounced = nil
      enqueue(request)
    }
  }

  /// A device answers. `succeeds` is nil if the device timed out, or if it released the handler
  /// without an answer.
  func answer(device: Int, _ succeeds: Bool?) {
    if let index = running.firstIndex(where: { $0.called?.device == device }) {
      answer(index, succeeds)
    }
  }

  func leave(_ device: Int) {
    devices[device] = nil
    order.removeAll { $0 == device }
    if let index = running.firstIndex(where: { $0.called?.device == device }) {
      running[index].called = nil
      proceed(running[index].id)
    }
    startAll()
  }

  func close() {
    isClosed = true
    for request in running {
      if let called = request.called {
        devices[called.device]?.latest = nil
        devices[called.device]?.isUnknown = true
      }
      settle(request, "sessionDeactivated")
    }
    for request in waiting + [debounced?.request].compactMap({ $0 }) {
      settle(request, "sessionDeactivated")
    }
    (running, waiting, debounced) = ([], [], nil)
  }

  /// The last requested value of a lane. This value is waiting, or it is being applied, or it is
  /// the current value.
  func requested(_ lane: Int) -> Int {
    if lane == 1, let value = debounced?.request.targets[1] { return value }
    return waiting.last { $0.carriesValue && $0.lanes.contains(lane) }?.targets[lane]
      ?? running.last { $0.lanes.contains(lane) }?.targets[lane] ?? values[lane]
  }

  /// Records that a device has an `apply` handler. The handler may replace an earlier one.
  func setHandler(_ number: Int, id: Int) {
    devices[number]?.hasHandler = true
    guard isRefusing, devices[number]?.mayAmplify == true else { return }
    submit(Request(id: id, kind: .off(nil), lanes: [2]))
  }

  // MARK: Starting requests

  /// Starts all requests that can start. Then executes them in the order in which they started.
  func startAll() {
    while let index = firstToStart {
      var request = waiting.remove(at: index)
      request.claimed = claim(request)
      running.append(request)
      started.append(request.id)
    }
    guard !isDriving else { return }
    isDriving = true
    while !started.isEmpty { begin(started.removeFirst()) }
    isDriving = false
  }

  var firstToStart: Int? {
    var claimed = running.reduce(into: Set<Int>()) { $0.formUnion($1.claimed) }
    for (index, request) in waiting.enumerated() {
      if claimed.isDisjoint(with: claim(request)) { return index }
      claimed.formUnion(claim(request))
    }
    return nil
  }

  func claim(_ request: Request) -> Set<Int> {
    devices.values.contains { $0.lane == 3 } ? [0, 1, 2] : request.lanes
  }

  // MARK: Executing a request

  func begin(_ id: Int) {
    change(id) { request in
      if case .resolve(let reason) = request.kind, !request.isRecovering {
        if reasons.isEmpty { request.failure = "notInterrupted" }
        if !reasons.isEmpty, !reasons.contains(reason) { request.failure = "interruptionNotFound" }
        request.hasNothingToDo = request.failure != nil || reasons.count > 1
        if !request.hasNothingToDo { request.targets = [2: valueToRestore] }
      }
      if case .off(nil) = request.kind { request.hasNothingToDo = reasons.isEmpty }
      if request.isOff, !request.hasNothingToDo { request.targets = [2: 0] }
      guard !request.hasNothingToDo else { return }
      // First, the devices of `isEnabled` are called if it becomes false. The other lanes follow in
      // order. Applicators of the whole session come last.
      let own = request.kind == .nothing ? [] : request.lanes
      let lanes = own.sorted { rank($0, request) < rank($1, request) } + [3]
      for lane in lanes {
        for number in order where devices[number]?.lane == lane {
          guard let device = devices[number], device.hasHandler else { continue }
          let isOutOfDate =
            request.isOff
            ? device.mayAmplify
            : device.latest != target(of: lane, request)
          if isOutOfDate { request.pending.append(number) }
        }
      }
      if request.isOff {
        // In each lane, the devices that have not answered their last call are called last.
        request.pending = ([2, 3] as [Int]).flatMap { lane in
          let numbers = request.pending.filter { devices[$0]?.lane == lane }
          return numbers.filter { devices[$0]?.isUnknown == false }
            + numbers.filter { devices[$0]?.isUnknown == true }
        }
      }
      for number in request.pending where devices[number]?.manner == .refuses {
        if request.failure == nil { request.failure = "cannotApply" }
        if !request.isOff { return request.pending = [] }
      }
      request.pending.removeAll { devices[$0]?.manner == .refuses }
    }
    proceed(id)
  }

  func rank(_ lane: Int, _ request: Request) -> Int {
    lane == 2 && request.targets[2] == 0 && request.kind == .update ? -1 : lane
  }

  func target(of lane: Int, _ request: Request) -> [Int] {
    let all = (0..<3).map { request.targets[$0] ?? values[$0] }
    return lane == 3 ? all : [all[lane]]
  }

  /// Calls the applicators of a request one after another. Stops at the first device that answers
  /// later.
  func proceed(_ id: Int) {
    while let request = running.first(where: { $0.id == id }) {
      guard let number = request.pending.first ?? request.postponed.first else {
        return finish(id)
      }
      if request.pending.isEmpty {
        change(id) { request in
          (request.pending, request.postponed) = (request.postponed, [])
          request.isSecondRound = true
        }
      }
      change(id) { $0.pending.removeFirst() }
      guard let device = devices[number], device.hasHandler else { continue }
      let isOmitted = running.contains { $0.id == id && $0.isSecondRound && $0.isInterrupted }
      if isOmitted {
        devices[number]?.latest = nil
        fail(id, "applyTimeoutExceeded")
        continue
      }
      let value = target(of: device.lane, request)
      calls.append("\(number) applies \(value)")
      switch device.manner {
      case .succeeds: took(number, value)
      case .fails: fail(id, "applyFailed")
      case .refuses, .answersLater:
        return change(id) { request in
          let limit = request.isOff && !request.isSecondRound ? 1_000 : 1_200
          request.called = (number, now + limit)
          request.callTimer = nextTimer()
        }
      }
    }
  }

  func answer(_ index: Int, _ succeeds: Bool?) {
    let request = running[index]
    guard let (number, deadline) = request.called, let device = devices[number] else { return }
    running[index].called = nil
    switch succeeds {
    case true: took(number, target(of: device.lane, request))
    case false: fail(request.id, "applyFailed")
    case nil:
      devices[number]?.latest = nil
      devices[number]?.isUnknown = true
      if now == deadline, request.isOff, !request.isSecondRound {
        running[index].postponed.append(number)
      } else {
        fail(request.id, now == deadline ? "applyTimeoutExceeded" : "abandoned")
      }
    }
    proceed(request.id)
  }

  func took(_ number: Int, _ value: [Int]) {
    devices[number]?.latest = value
    devices[number]?.isUnknown = false
  }

  func fail(_ id: Int, _ error: String) {
    change(id) { request in
      if request.failure == nil { request.failure = error }
      if !request.isOff { request.pending = [] }
    }
  }

  func finish(_ id: Int) {
    guard let request = running.first(where: { $0.id == id }) else { return }
    if case .resolve = request.kind, request.failure != nil, !request.isRecovering,
      !request.hasNothingToDo
    {
      change(id) { $0.isRecovering = true }
      return begin(id)
    }
    if request.failure == nil || request.isOff {
      for (lane, value) in request.targets where !request.isRecovering || lane == 2 {
        if case .off(.some) = request.kind, reasons.isEmpty { valueToRestore = values[2] }
        values[lane] = value
      }
      if case .off(let reason?) = request.kind { reasons.insert(reason) }
    }
    if case .resolve(let reason) = request.kind, request.failure == nil { reasons.remove(reason) }
    running.removeAll { $0.id == id }
    settle(request, request.failure)
    startAll()
  }

  func settle(_ request: Request, _ error: String?) {
    if case .off(nil) = request.kind { return }
    results[request.id] = error ?? "succeeds"
  }

  func change(_ id: Int, _ body: (inout Request) -> Void) {
    guard let index = running.firstIndex(where: { $0.id == id }) else { return }
    var request = running[index]
    body(&request)
    running[index] = request
  }
}

extension SessionModel.Request {
  /// Whether the request is an interruption, or resolves an interruption.
  fileprivate var isInterruption: Bool {
    switch kind {
    case .off, .resolve: true
    case .apply, .update, .synchronize, .nothing: false
    }
  }
}
