/// One subscriber of a `CurrentValueSource`. `Mailbox` is not generic over the type of the values.
/// Only one thread calls a subscriber at a time. Values that arrive while the subscriber is running
/// are queued. The queued values are delivered in order after the subscriber has returned.
///
/// The queue and the lock do not depend on the type of the values. A queue or a lock of a generic
/// type would be slow, because each use would look up the type at run time.
final class Mailbox: Sendable {
  typealias Message = @Sendable () -> Void

  /// The sequence number of the last value that was stored before the subscription. The subscriber
  /// receives only values with higher sequence numbers.
  let joinedAt: UInt64
  /// If `isLater` is false, calls the subscriber with the value that is being delivered. If
  /// `isLater` is true, returns a closure that calls the subscriber with this value later.
  private let receive: @Sendable (_ isLater: Bool) -> Message?
  /// Called once, after the last message.
  private let finish: Message?
  private let state = Lock(State())

  private struct State: Sendable {
    var messages = FIFO<Message>()
    /// True if messages must wait. A new mailbox delivers messages only after the first call of
    /// `resume`.
    var isDelivering = true
    var isCancelled = false
    /// Whether the source has ended, so that no more messages follow.
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

  /// Delivers the source's value on this thread. If a delivery to this subscriber is already
  /// running, queues the value instead.
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

  /// Delivers up to 32 waiting messages. If more than 32 messages are waiting, a background thread
  /// of this package delivers the rest.
  func resume() {
    for _ in 0..<32 {
      guard let message = next() else { return }
      message()
    }
    LibraryThread.run { [self] in resume() }
  }

  /// Removes and returns the next message. If there is no message, ends the delivery on this thread
  /// and returns nil.
  private func next() -> Message? {
    let (message, isLast) = state.withLock { state -> (Message?, Bool) in
      if !state.isCancelled, let message = state.messages.popFirst() { return (message, false) }
      state.isDelivering = false
      return (nil, state.isEnding && !state.isCancelled)
    }
    if isLast { finish?() }
    return message
  }

  /// Ends the mailbox. No more messages will follow.
  func end() {
    let finishes = state.withLock { state in
      defer { state.isEnding = true }
      return !state.isDelivering && !state.isEnding && !state.isCancelled
    }
    if finishes { finish?() }
  }

  /// Discards all messages. A running call of the subscriber on another thread may still finish.
  func cancel() {
    _ = state.withLock { state in
      let discarded = state.messages
      state.messages = FIFO()
      state.isCancelled = true
      return discarded
    }
  }
}
