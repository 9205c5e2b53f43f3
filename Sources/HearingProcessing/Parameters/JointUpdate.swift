internal import Synchronization

/// A change of several parameters that come into force together, or of one parameter in a session
/// whose sequences run one at a time.
///
/// It has a request in the queue of each of its parameters and starts when all of them are first; if
/// all parameters of the session are at rest, it starts at once, without any queue. One thread at a
/// time drives it: the one that starts it, then those that deliver answers.
// Sendable because `state` is only reached under the line's lock, `hasStartedAtOnce` is written there
// before any thread drives the update, and `progress` is only reached by the thread that drives;
// the locks of the parameters order these threads.
@usableFromInline final class JointUpdate: @unchecked Sendable {
  let line: UpdateLine
  /// The places in the line that it takes.
  let seats: SeatSet
  /// Whether it consists of one request of one parameter.
  let isOfOneParameter: Bool
  let continuesAfterFailure: Bool
  /// Receives the outcome, once: nil is success.
  private let conclude: @Sendable (JointUpdate, ParameterError?) -> Void
  private let isConcluded = Atomic(false)

  @safe @exclusivity(unchecked) private(set) var state = State.waiting
  /// Whether it found all of its parameters at rest and did not enter their queues.
  @safe @exclusivity(unchecked) private(set) var hasStartedAtOnce = false
  @safe @exclusivity(unchecked) private var progress: UpdateProgress

  enum State: Sendable {
    case waiting, running
    /// All of its values are current, or none is. The thread that finished it continues with the
    /// queues.
    case finished
    /// It ended early, with its session or its parameter.
    case ended
  }

  /// - Parameters:
  ///   - seats: The parameters that wait while it runs.
  ///   - parts: Those among them that it changes, in the order in which they apply.
  init(
    _ line: UpdateLine, seats: SeatSet, parts: SeatOrder, isOfOneParameter: Bool = false,
    continuesAfterFailure: Bool = false,
    conclude: @escaping @Sendable (JointUpdate, ParameterError?) -> Void
  ) {
    self.line = line
    self.seats = seats
    self.isOfOneParameter = isOfOneParameter
    self.continuesAfterFailure = continuesAfterFailure
    self.conclude = conclude
    progress = UpdateProgress(parts: parts, continuesAfterFailure: continuesAfterFailure)
  }

  /// Under the line's lock: the update starts.
  func start() {
    state = .running
  }

  /// Under the line's lock: the update starts without having waited.
  ///
  /// - Parameter parts: Those among its parts that have applicators.
  func startAtOnce(_ parts: SeatOrder) {
    state = .running
    hasStartedAtOnce = true
    progress = UpdateProgress(parts: parts)
  }

  /// Drives the update on this thread until it waits for an answer, then up to 32 others that can
  /// start; a library thread drives the rest.
  @usableFromInline
  static func run(_ first: JointUpdate) {
    var ready = FIFO<JointUpdate>()
    var next: JointUpdate? = first
    var driven = 0
    while let update = next {
      if driven > 32 {
        ready.prepend(update)
        let rest = ready
        return LibraryThread.run {
          var rest = rest
          while let update = rest.popFirst() { run(update) }
        }
      }
      driven += 1
      update.drive(&driven, &ready)
      next = ready.popFirst()
    }
  }

  /// Ends the update early: before it has finished, or before it has started.
  @usableFromInline
  func end(_ error: ParameterError) {
    var driven = 0
    var ready = FIFO<JointUpdate>()
    release(error, &driven, &ready)
    while let update = ready.popFirst() { Self.run(update) }
  }

  private func drive(_ driven: inout Int, _ ready: inout FIFO<JointUpdate>) {
    while true {
      let failure = progress.current.flatMap { line.seats[$0].error(self) }
      switch progress.paused(failure) {
      case .prepare(let part), .apply(let part):
        let next = line.seats[part].resume(self)
        if next === self { continue }
        // An answer is awaited, or the parameter was closed; then `next` may be another update.
        if let next { ready.append(next) }
        return
      case .finish(let error):
        return finish(error, &driven, &ready)
      }
    }
  }

  /// Finishes all parts together; then their parameters continue with their queues.
  private func finish(
    _ error: ParameterError?, _ driven: inout Int, _ ready: inout FIFO<JointUpdate>
  ) {
    var ending = Ending(error: error)
    var publishTogether: UpdateSeat.Delivery = nil
    let isFinished = line.lock.withLock { lineState in
      guard state == .running, finish(seats, &ending) else { return false }
      state = .finished
      // An update that continues after a failure changes no value.
      if !ending.changed.isEmpty { publishTogether = line.publish(ending.changed, lineState) }
      return true
    }
    guard isFinished else { return release(.sessionDeactivated, &driven, &ready) }
    for deliver in ending.deliveries.reversed() { deliver() }
    publishTogether?()
    settle(error)
    for seat in seats {
      if let started = line.seats[seat].goOn(&driven) { ready.append(started) }
    }
  }

  /// The result of finishing all parts.
  struct Ending {
    let error: ParameterError?
    /// The parameters that have a new value.
    var changed = SeatSet()
    /// To be called outside all locks; the delivery of the first seat is the last.
    var deliveries: [@Sendable () -> Void] = []
    /// To be released outside all locks: the first object, which is usually the only one, and others.
    private var released: AnyObject?
    private var others: [AnyObject] = []

    init(error: ParameterError?) {
      self.error = error
    }

    /// Keeps an object until the locks are released.
    mutating func release(_ object: AnyObject) {
      if released == nil { released = object } else { others.append(object) }
    }
  }

  /// Finishes the parts under their locks, one within the other, if all of them are still held.
  private func finish(_ rest: SeatSet, _ ending: inout Ending) -> Bool {
    var rest = rest
    guard let seat = rest.next() else { return true }
    return line.seats[seat].finish(self, seat, &ending) { [rest] in finish(rest, &$0) }
  }

  private func settle(_ error: ParameterError?) {
    if !isConcluded.exchange(true, ordering: .acquiringAndReleasing) { conclude(self, error) }
  }

  /// Leaves every queue, and releases every parameter that it holds.
  private func release(
    _ error: ParameterError, _ driven: inout Int, _ ready: inout FIFO<JointUpdate>
  ) {
    let (withdrawals, started) = line.lock.withLock { _ in
      state = .ended
      let withdrawals = seats.map { line.seats[$0].withdraw(self, error) }
      return (withdrawals, line.startFirst(seats))
    }
    settle(error)
    for (seat, withdrawal) in zip(seats, withdrawals) {
      withdrawal.deliver?()
      guard withdrawal.drives, let next = line.seats[seat].goOn(&driven) else { continue }
      ready.append(next)
    }
    for update in started { ready.append(update) }
  }
}
