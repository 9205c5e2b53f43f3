/// One subscriber of a source: the messages that wait for it. One thread at a time delivers them, in
/// order; a message that arrives meanwhile is delivered next by that thread.
final class Mailbox<Message: Sendable>: Sendable {
  /// The number of the last message before the subscription: only later ones are for this subscriber.
  let joinedAt: UInt64
  private let receive: @Sendable (Message) -> Void
  /// Called once, after the last message.
  private let finish: (@Sendable () -> Void)?
  private let state: Lock<State>

  private struct State: Sendable {
    var messages = FIFO<Message>()
    var isDelivering: Bool
    var isCancelled = false
    /// Whether no more messages will follow.
    var isEnding = false
  }

  /// - Parameter isDelivering: Whether the caller delivers the first message, with `deliver`.
  init(
    joinedAt: UInt64, isDelivering: Bool, receive: @escaping @Sendable (Message) -> Void,
    finish: (@Sendable () -> Void)?
  ) {
    self.joinedAt = joinedAt
    self.receive = receive
    self.finish = finish
    state = Lock(State(isDelivering: isDelivering))
  }

  /// Delivers `message` on this thread, or leaves it to the thread that delivers.
  func put(_ message: Message) {
    let delivers = state.withLock { state in
      guard !state.isCancelled else { return false }
      if state.isDelivering {
        state.messages.append(message)
        return false
      }
      state.isDelivering = true
      return true
    }
    if delivers { deliver(message) }
  }

  /// Delivers `first` and up to 32 messages that arrive meanwhile; a library thread delivers the rest.
  func deliver(_ first: Message) {
    receive(first)
    deliverWaiting()
  }

  private func deliverWaiting() {
    for _ in 0..<32 {
      guard let message = next() else { return }
      receive(message)
    }
    LibraryThread.run { [self] in deliverWaiting() }
  }

  /// The next message; nil if there is none, so that this thread no longer delivers.
  private func next() -> Message? {
    let (message, isLast) = state.withLock { state -> (Message?, Bool) in
      if !state.isCancelled, let message = state.messages.popFirst() { return (message, false) }
      state.isDelivering = false
      return (nil, state.isEnding && !state.isCancelled)
    }
    if isLast { finish?() }
    return message
  }

  /// No more messages will follow.
  func end() {
    let finishes = state.withLock { state in
      defer { state.isEnding = true }
      return !state.isDelivering && !state.isEnding && !state.isCancelled
    }
    if finishes { finish?() }
  }

  /// Drops all messages; a call that is already running on another thread may finish.
  func cancel() {
    _ = state.withLock { state in
      let dropped = state.messages
      state.messages = FIFO()
      state.isCancelled = true
      return dropped
    }
  }
}
