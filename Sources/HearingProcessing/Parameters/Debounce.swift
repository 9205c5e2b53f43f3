/// The debounce of `DeliveryMode.discrete` as a state machine.
///
/// Extending the wait does not touch a timer that is already set, so it costs no timer. If that
/// timer fires too early, it is set again, once.
@usableFromInline
struct Debounce<Value: Equatable & Sendable>: Sendable {
  /// Allocated by the first wait: most parameters never wait.
  @usableFromInline var wait: Wait?

  @usableFromInline
  init() {}

  // Sendable because every property is only reached under the lock of the parameter that owns it.
  /// The request that waits, and its timer.
  @usableFromInline final class Wait: @unchecked Sendable {
    @usableFromInline @safe @exclusivity(unchecked) var request: ParameterRequest<Value>?
    @usableFromInline @safe @exclusivity(unchecked) var deadline = Duration.zero
    @usableFromInline @safe @exclusivity(unchecked) var timer: Timer?
    @safe @exclusivity(unchecked) var timerCount: UInt64 = 0

    @usableFromInline
    init() {}

    @usableFromInline
    func newTimer() -> Timer {
      timerCount += 1
      let new = Timer(number: timerCount, deadline: deadline)
      timer = new
      return new
    }
  }

  /// The request that waits.
  @usableFromInline
  var waiting: ParameterRequest<Value>? { wait?.request }

  /// Whether a request waits.
  @usableFromInline
  var isWaiting: Bool { wait?.request != nil }

  @usableFromInline
  var timer: Timer? { wait?.timer }

  @usableFromInline
  struct Timer: Sendable {
    @usableFromInline let number: UInt64
    @usableFromInline let deadline: Duration
    @usableFromInline var token: ObservationToken?

    @usableFromInline
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

    @usableFromInline
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
    let wait = self.wait ?? Wait()
    self.wait = wait
    var held = Held(overtaken: wait.request)
    wait.request = request
    wait.deadline = newDeadline
    if let timer = wait.timer, timer.deadline <= newDeadline { return held }
    held.stale = wait.timer?.token
    held.timer = wait.newTimer()
    return held
  }

  /// Stores the token of a timer that was set; returns it if that timer is no longer needed.
  mutating func keep(_ token: ObservationToken, ofTimer number: UInt64) -> ObservationToken? {
    guard let wait, wait.timer?.number == number else { return token }
    wait.timer?.token = token
    return nil
  }

  /// Handles a fired timer; release the returned token outside the lock.
  mutating func fired(_ number: UInt64) -> (what: Fired, token: ObservationToken?) {
    guard let wait, let timer = wait.timer, timer.number == number else { return (.nothing, nil) }
    wait.timer = nil
    guard let request = wait.request else { return (.nothing, timer.token) }
    if timer.deadline < wait.deadline { return (.again(wait.newTimer()), timer.token) }
    wait.request = nil
    return (.deliver(request), timer.token)
  }

  /// Ends the wait: returns the waiting request, if any, and the timer to cancel.
  @inlinable
  mutating func take() -> (request: ParameterRequest<Value>?, token: ObservationToken?) {
    guard let wait else { return (nil, nil) }
    return (wait.request.take(), wait.timer.take()?.token)
  }
}
