/// Passes messages from any thread to a handler on the main actor: all of them in order, or only
/// the newest once per turn of the main actor.
final class MainActorInbox<Message: Sendable>: Sendable {
  private let state: Lock<State>
  private let keepsNewestOnly: Bool

  private struct State: Sendable {
    var handler: (@MainActor @Sendable (Message) -> Void)?
    var messages = FIFO<Message>()
    var isScheduled = false
    /// Whether a message with `isLast` was queued; messages after it are ignored.
    var isEnding = false
  }

  init(
    keepsNewestOnly: Bool = false, _ handler: @escaping @MainActor @Sendable (Message) -> Void
  ) {
    self.keepsNewestOnly = keepsNewestOnly
    state = Lock(State(handler: handler))
  }

  /// Queues `message` for the main actor.
  ///
  /// - Parameter isLast: Whether to release the handler after it has received the message.
  func put(_ message: Message, isLast: Bool = false) {
    let (schedules, _) = state.withLock { state in
      guard state.handler != nil, !state.isEnding else { return (false, FIFO<Message>()) }
      let overtaken = keepsNewestOnly ? state.messages : FIFO()
      if keepsNewestOnly { state.messages = FIFO() }
      state.messages.append(message)
      state.isEnding = isLast
      defer { state.isScheduled = true }
      return (!state.isScheduled, overtaken)
    }
    if schedules { schedule() }
  }

  private func schedule() {
    Task { @MainActor in self.empty() }
  }

  /// Drops all messages and releases the handler.
  func close() {
    _ = state.withLock { state in
      let last = state
      state.handler = nil
      state.messages = FIFO()
      return last
    }
  }

  @MainActor
  private func empty() {
    while let (handler, message) = next() {
      handler(message)
      if keepsNewestOnly { return schedule() }
    }
  }

  private func next() -> (@MainActor @Sendable (Message) -> Void, Message)? {
    state.withLock { state in
      guard let handler = state.handler, let message = state.messages.popFirst() else {
        state.isScheduled = false
        return nil
      }
      if state.isEnding, state.messages.isEmpty { state.handler = nil }
      return (handler, message)
    }
  }
}
