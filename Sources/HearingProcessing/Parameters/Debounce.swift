/// The wait of `DeliveryMode.discrete` as a state machine.
///
/// A timer that is set is left alone while the wait is prolonged: when it fires too early it is set
/// again, once, so that prolonging costs no timer.
@usableFromInline
struct Debounce<Value: Equatable & Sendable>: Sendable {
  @usableFromInline var waiting: ParameterRequest<Value>?
  var deadline = Duration.zero
  var timer: Timer?
  var timerCount: UInt64 = 0

  @usableFromInline
  init() {}

  @usableFromInline
  struct Timer: Sendable {
    let number: UInt64
    let deadline: Duration
    var token: ObservationToken?
  }

  /// What `hold` leaves to be done.
  struct Held: Sendable {
    /// The request that waited until now.
    var overtaken: ParameterRequest<Value>?
    /// The timer to set.
    var timer: Timer?
    /// A timer that is set too late.
    var stale: ObservationToken?
  }

  /// What a timer that fired leaves to be done.
  enum Fired: Sendable {
    case nothing
    case again(Timer)
    case deliver(ParameterRequest<Value>)
  }

  /// A request is to wait until `newDeadline`, in place of the one that waits now.
  mutating func hold(_ request: ParameterRequest<Value>, until newDeadline: Duration) -> Held {
    var held = Held(overtaken: waiting)
    waiting = request
    deadline = newDeadline
    if let timer, timer.deadline <= newDeadline { return held }
    held.stale = timer?.token
    held.timer = newTimer()
    return held
  }

  /// The timer was set: returns the token if nobody waits for it any more.
  mutating func keep(_ token: ObservationToken, ofTimer number: UInt64) -> ObservationToken? {
    guard timer?.number == number else { return token }
    timer?.token = token
    return nil
  }

  /// A timer has fired; its token is only to be released outside the lock.
  mutating func fired(_ number: UInt64) -> (what: Fired, token: ObservationToken?) {
    guard let timer, timer.number == number else { return (.nothing, nil) }
    self.timer = nil
    guard let request = waiting else { return (.nothing, timer.token) }
    if timer.deadline < deadline { return (.again(newTimer()), timer.token) }
    waiting = nil
    return (.deliver(request), timer.token)
  }

  /// Nobody waits any more: returns who did, and the timer to cancel.
  @usableFromInline
  mutating func take() -> (request: ParameterRequest<Value>?, token: ObservationToken?) {
    defer {
      waiting = nil
      timer = nil
    }
    return (waiting, timer?.token)
  }

  private mutating func newTimer() -> Timer {
    timerCount += 1
    let new = Timer(number: timerCount, deadline: deadline)
    timer = new
    return new
  }
}
