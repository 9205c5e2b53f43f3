internal import Foundation
internal import HearingProcessing

/// A queue of messages to an `AudioPassThru`. One thread at a time processes the messages in order.
final class PassThruInbox: Sendable {
  enum Message: Sendable {
    case begin(AudioPassThruRequest, ResultPublisher<AudioPassThruResponse, AudioPassThruError>)
    case receive(Data)
    case end(Result<AudioPassThruResponse.Ending, AudioPassThruError>)
    /// The prompt of the request with this number was played.
    case promptFinished(request: Int)
    /// The clock has reached the maximum duration of the request with this number.
    case timeUp(request: Int)
  }

  private struct State: Sendable {
    var messages = FIFO<Message>()
    var isProcessing = false
  }

  private let state = Lock(State())

  /// Adds a message.
  ///
  /// - Returns: The message if the caller must process it. The caller then calls ``next()``. Nil if
  ///   another thread, or an outer call on the same thread, will process the message.
  func put(_ message: Message) -> Message? {
    state.withLock { state in
      guard state.isProcessing else {
        state.isProcessing = true
        return message
      }
      state.messages.append(message)
      return nil
    }
  }

  /// The next message that the caller must process. Nil if the queue is empty.
  func next() -> Message? {
    state.withLock { state in
      let message = state.messages.popFirst()
      state.isProcessing = message != nil
      return message
    }
  }
}
