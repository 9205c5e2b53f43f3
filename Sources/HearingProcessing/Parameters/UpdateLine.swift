/// Puts requests into the queues of several parameters in one step, so that updates have the same
/// order in all of them, and starts an update when it is first in all of its queues.
///
/// Lock order: the line, a parameter, a publisher. No user code runs under any.
@usableFromInline
final class UpdateLine: Sendable {
  let lock = Lock(State())
  /// The parameters; the last seat represents the applicators of all of them together.
  let seats: [UpdateSeat]
  /// Starts, under the lock, an update that is first in the last queue.
  let startWhole: @Sendable (JointUpdate) -> Void
  /// Publishes, under the lock, the values that the update of these parameters has committed; the
  /// last seat is not among them.
  private let publishTogether: @Sendable (SeatSet) -> UpdateSeat.Delivery

  struct State: Sendable {
    /// Whether the values of updates are published: not before the first subscriber.
    var isPublishing = false
  }

  init(
    seats: [UpdateSeat], startWhole: @escaping @Sendable (JointUpdate) -> Void,
    publishTogether: @escaping @Sendable (SeatSet) -> UpdateSeat.Delivery
  ) {
    precondition(seats.count <= SeatSet.maximumCount, "a line of \(seats.count) seats")
    self.seats = seats
    self.startWhole = startWhole
    self.publishTogether = publishTogether
  }

  /// Under the lock: starts the update if it is first in all of its queues.
  ///
  /// A parameter's own requests do not need this lock, so a queue may change until its parameter is
  /// locked. The parameters are therefore locked one inside the other, in the order of the seats;
  /// all are checked and started before any lock is released. Only the last queue, which represents
  /// the applicators of all parameters together, changes under this lock alone.
  func start(_ update: JointUpdate) -> JointUpdate? {
    let whole = seats.count - 1
    let hasWhole = update.seats.contains(whole)
    guard update.state == .waiting, !hasWhole || seats[whole].blockingUpdate() === update,
      start(update, update.seats)
    else { return nil }
    update.start()
    if hasWhole { startWhole(update) }
    return update
  }

  private func start(_ update: JointUpdate, _ rest: SeatSet) -> Bool {
    var rest = rest
    guard let seat = rest.next(), seat < seats.count - 1 else { return true }
    return seats[seat].start(update) { [rest] in start(update, rest) }
  }

  /// Under the lock: publishes the values that the update of these parameters has committed.
  func publish(_ changed: SeatSet, _ state: State) -> UpdateSeat.Delivery {
    state.isPublishing ? publishTogether(changed) : nil
  }

  /// Under the lock: starts the updates that are first after a change of these queues.
  func startFirst(_ changed: SeatSet) -> [JointUpdate] {
    changed.compactMap { seat in seats[seat].blockingUpdate().flatMap { start($0) } }
  }

  /// Call when a parameter has reached this update in its queue.
  func offer(_ update: JointUpdate) -> JointUpdate? {
    lock.withLock { _ in start(update) }
  }
}

/// A parameter's reference to its session's line.
// Sendable because `line` is written in `init` only; reading a weak reference is atomic.
@usableFromInline final class LineReference: @unchecked Sendable {
  private(set) weak var line: UpdateLine?
  /// The parameter's place in the line.
  let seat: Int

  init(_ line: UpdateLine, seat: Int) {
    self.line = line
    self.seat = seat
  }
}

/// Copies committed values into the values of a session.
@usableFromInline
struct Follower<Value: Sendable>: Sendable {
  /// Called under the parameter's lock; returns the delivery, which is called outside the lock.
  @usableFromInline let store: @Sendable (Value) -> (@Sendable () -> Void)?
}
