/// Delivers values to one subscriber of a `CurrentValueSource`. Only one thread at a time calls the
/// subscriber. Values that arrive while the subscriber is running wait in a queue. After the
/// subscriber has returned, the mailbox delivers the queued values in order.
///
/// `Mailbox` is not generic over the type of the values. In a generic class, each use of the queue
/// and of the lock would look up this type at run time, and would therefore be slow.
final class Mailbox: Sendable {
  typealias Message = @Sendable () -> Void

  /// The sequence number of the last value that was stored before the subscription. The subscriber
  /// receives only values with higher sequence numbers.
  let joinedAt: UInt64
  /// If `isLater` is false, calls the subscriber with the value that the source is delivering. If
  /// `isLater` is true, does not call the subscriber. Instead, returns a closure that calls the
  /// subscriber with this value.
  private let receive: @Sendable (_ isLater: Bool) -> Message?
  /// Called once, after the last value was delivered.
  private let finish: Message?
  private let state = Lock(State())

  private struct State: Sendable {
    var messages = FIFO<Message>()
    /// True if new values must wait in the queue. In a new mailbox, values wait until the first
    /// call of `resume`.
    var isDelivering = true
    var isCancelled = false
    /// Whether the source has ended, so that no more values follow.
    var isEnding = false
  }

  init(
    joinedAt: UInt64, finish: Message?,
    receive: @escaping @Sendable (_ isLater: Bool) -> Message?
  ) {
    self.joinedAt = joinedAt
    self.receive = receive
    self.finish = finish
  }

  /// Delivers the current value of the source on the calling thread. If a call of the subscriber is
  /// already running, adds the value to the queue instead.
  func deliver() {
    let delivers = state.withLock { state in
      guard !state.isCancelled else { return false }
      guard state.isDelivering else {
        state.isDelivering = true
        return true
      }
      if let message = receive(true) { state.messages.append(message) }
      return false
    }
    guard delivers else { return }
    _ = receive(false)
    resume()
  }

  /// Delivers up to 32 queued values. If more than 32 values are waiting, a background thread of
  /// this package delivers the remaining values.
  func resume() {
    for _ in 0..<32 {
      guard let message = next() else { return }
      message()
    }
    LibraryThread.run { [self] in resume() }
  }

  /// Removes the next message from the queue and returns the message. A message is a closure that
  /// delivers one value. If the queue is empty, ends the delivery on this thread and returns nil.
  private func next() -> Message? {
    let (message, isLast) = state.withLock { state -> (Message?, Bool) in
      if !state.isCancelled, let message = state.messages.popFirst() { return (message, false) }
      state.isDelivering = false
      return (nil, state.isEnding && !state.isCancelled)
    }
    if isLast { finish?() }
    return message
  }

  /// Ends the mailbox, because the source has ended. The closure `finish` is called after the last
  /// queued value was delivered.
  func end() {
    let finishes = state.withLock { state in
      defer { state.isEnding = true }
      return !state.isDelivering && !state.isEnding && !state.isCancelled
    }
    if finishes { finish?() }
  }

  /// Discards all queued values. A running call of the subscriber on another thread may still
  /// finish.
  func cancel() {
    _ = state.withLock { state in
      let discarded = state.messages
      state.messages = FIFO()
      state.isCancelled = true
      return discarded
    }
  }
}
