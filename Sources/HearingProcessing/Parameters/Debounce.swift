/// The debounce of `DeliveryMode.discrete` as a state machine.
///
/// Extending the wait does not touch a timer that is already set: when it fires too early it is set
/// again, once, so that extending the wait costs no timer.
@usableFromInline
struct Debounce<Value: Equatable & Sendable>: Sendable {
  @usableFromInline var waiting: ParameterRequest<Value>?
  @usableFromInline var deadline = Duration.zero
  @usableFromInline var timer: Timer?
  @usableFromInline var timerCount: UInt64 = 0

  @inlinable
  init() {}

  @usableFromInline
  struct Timer: Sendable {
    @usableFromInline let number: UInt64
    @usableFromInline let deadline: Duration
    @usableFromInline var token: ObservationToken?

    @inlinable
    init(number: UInt64, deadline: Duration) {
      self.number = number
      self.deadline = deadline
    }
  }

  /// The work that `hold` leaves to the caller.
  @usableFromInline
  struct Held: Sendable {
    /// The request that waited until now; it is superseded.
    @usableFromInline var overtaken: ParameterRequest<Value>?
    /// The timer to set.
    @usableFromInline var timer: Timer?
    /// The token of a timer whose deadline is too late.
    @usableFromInline var stale: ObservationToken?

    @inlinable
    init(overtaken: ParameterRequest<Value>?) {
      self.overtaken = overtaken
    }
  }

  /// The work that a fired timer leaves to the caller.
  enum Fired: Sendable {
    case nothing
    case again(Timer)
    case deliver(ParameterRequest<Value>)
  }

  /// Makes `request` wait until `newDeadline`, in place of the one that waits now.
  @inlinable
  mutating func hold(_ request: ParameterRequest<Value>, until newDeadline: Duration) -> Held {
    var held = Held(overtaken: waiting)
    waiting = request
    deadline = newDeadline
    if let timer, timer.deadline <= newDeadline { return held }
    held.stale = timer?.token
    held.timer = newTimer()
    return held
  }

  /// Stores the token of a timer that was set; returns it if that timer is no longer needed.
  mutating func keep(_ token: ObservationToken, ofTimer number: UInt64) -> ObservationToken? {
    guard timer?.number == number else { return token }
    timer?.token = token
    return nil
  }

  /// Handles a fired timer; release the returned token outside the lock.
  mutating func fired(_ number: UInt64) -> (what: Fired, token: ObservationToken?) {
    guard let timer, timer.number == number else { return (.nothing, nil) }
    self.timer = nil
    guard let request = waiting else { return (.nothing, timer.token) }
    if timer.deadline < deadline { return (.again(newTimer()), timer.token) }
    waiting = nil
    return (.deliver(request), timer.token)
  }

  /// Ends the wait: returns the waiting request, if any, and the timer to cancel.
  @inlinable
  mutating func take() -> (request: ParameterRequest<Value>?, token: ObservationToken?) {
    defer {
      waiting = nil
      timer = nil
    }
    return (waiting, timer?.token)
  }

  @inlinable
  mutating func newTimer() -> Timer {
    timerCount += 1
    let new = Timer(number: timerCount, deadline: deadline)
    timer = new
    return new
  }
}
