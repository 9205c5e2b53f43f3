internal import Synchronization

/// A change of several parameters that come into force together, or of one parameter in a session
/// whose sequences run one at a time.
///
/// It has a request in the queue of each of its parameters and starts when all of them are first.
/// One thread at a time drives it: the one that starts it, then those that bring answers.
// Sendable because `state` is only reached under the line's lock, and `progress` and `hasBegun` by
// the thread that drives; the locks of the parameters order these threads.
@usableFromInline final class JointUpdate: @unchecked Sendable {
  let line: UpdateLine
  /// The places in the line that it takes, in ascending order.
  let seats: [Int]
  /// Whether it stands for one request of one parameter.
  @usableFromInline let isOfOneParameter: Bool
  let continuesAfterFailure: Bool
  /// Receives the outcome, once: nil is success.
  private let conclude: @Sendable (ParameterError?) -> Void
  private let isConcluded = Atomic(false)

  var state = State.waiting
  private var progress: UpdateProgress

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
    _ line: UpdateLine, seats: [Int], parts: [Int], isOfOneParameter: Bool = false,
    continuesAfterFailure: Bool = false, conclude: @escaping @Sendable (ParameterError?) -> Void
  ) {
    self.line = line
    self.seats = seats
    self.isOfOneParameter = isOfOneParameter
    self.continuesAfterFailure = continuesAfterFailure
    self.conclude = conclude
    progress = UpdateProgress(parts: parts, continuesAfterFailure: continuesAfterFailure)
  }

  /// Drives the update on this thread until it waits for an answer, then up to 32 others that can
  /// start; a library thread drives the rest.
  @usableFromInline
  static func run(_ first: JointUpdate) {
    var ready = FIFO<JointUpdate>()
    ready.append(first)
    var driven = 0
    while let update = ready.popFirst() {
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
    }
  }

  /// The update ends before its end, or before it has started.
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
        // An answer is awaited, or the parameter was closed: then it may lead to another update.
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
    let deliveries = line.lock.withLock { lineState -> [UpdateSeat.Delivery]? in
      guard state == .running, seats.allSatisfy({ line.seats[$0].isHeld(self) }) else {
        return nil
      }
      state = .finished
      // An update that continues after a failure changes no value.
      var (changed, deliveries) = ([Int](), [UpdateSeat.Delivery]())
      for seat in seats {
        let (changesValue, deliver) = line.seats[seat].finish(self, error)
        if changesValue, seat < line.seats.count - 1 { changed.append(seat) }
        if deliver != nil { deliveries.append(deliver) }
      }
      if !changed.isEmpty, let deliver = line.publish(changed, lineState) {
        deliveries.append(deliver)
      }
      return deliveries
    }
    guard let deliveries else { return release(.sessionDeactivated, &driven, &ready) }
    for deliver in deliveries { deliver?() }
    settle(error)
    for seat in seats {
      if let started = line.seats[seat].goOn(&driven) { ready.append(started) }
    }
  }

  private func settle(_ error: ParameterError?) {
    if !isConcluded.exchange(true, ordering: .acquiringAndReleasing) { conclude(error) }
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
