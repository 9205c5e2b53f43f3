/// Puts requests into the queues of several parameters in one step, so that updates have the same
/// order in all of them, and starts an update when it is first in all of its queues.
///
/// Lock order: the line, a parameter, a publisher. No user code runs under any.
@usableFromInline
final class UpdateLine: Sendable {
  let lock = Lock(())
  /// The parameters, and last what stands for the applicators of all of them together.
  let seats: [UpdateSeat]
  /// Publishes, under the lock, the values that the update of these parameters has committed.
  let publishTogether: @Sendable ([Int]) -> UpdateSeat.News

  init(seats: [UpdateSeat], publishTogether: @escaping @Sendable ([Int]) -> UpdateSeat.News) {
    self.seats = seats
    self.publishTogether = publishTogether
  }

  /// Under the lock: starts the update if it is first in all of its queues.
  func start(_ update: JointUpdate) -> JointUpdate? {
    guard update.state == .waiting else { return nil }
    for seat in update.seats where seats[seat].blockingUpdate() !== update { return nil }
    update.state = .running
    for seat in update.seats { seats[seat].start(update) }
    return update
  }

  /// Under the lock: starts the updates that are first after a change of these queues.
  func startFirst(_ changed: [Int]) -> [JointUpdate] {
    changed.compactMap { seat in seats[seat].blockingUpdate().flatMap { start($0) } }
  }

  /// A parameter has come to this update in its queue.
  func offer(_ update: JointUpdate) -> JointUpdate? {
    lock.withLock { _ in start(update) }
  }
}

/// What a parameter knows of its session's line.
// Sendable because `line` is written in `init` only; reading a weak reference is atomic.
@usableFromInline
final class LineReference: @unchecked Sendable {
  private(set) weak var line: UpdateLine?
  /// The parameter's place in the line.
  let seat: Int

  init(_ line: UpdateLine, seat: Int) {
    self.line = line
    self.seat = seat
  }
}

/// Takes committed values into the values of a session.
@usableFromInline
struct Follower<Value: Sendable>: Sendable {
  /// Called under the parameter's lock; what it returns delivers, outside it.
  @usableFromInline let store: @Sendable (Value) -> (@Sendable () -> Void)?
}
