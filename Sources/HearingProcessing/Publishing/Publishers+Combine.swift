#if canImport(Combine)
  public import Combine

  extension CurrentValuePublisher {
    /// The values as a Combine publisher, beginning with the current value.
    ///
    ///     let cancellable = session.intensity.$value.publisher
    ///       .removeDuplicates().sink { print($0) }
    ///
    /// While a subscriber has no demand, only the newest value is buffered. Each value arrives on
    /// the thread that publishes the value. A subscription does not retain the source. The
    /// subscription finishes when the source is released or the session is deactivated. If the
    /// source has already ended, a new subscription finishes immediately.
    public var publisher: AnyPublisher<Value, Never> {
      Deferred {
        let subject = FromAnyThread(content: CurrentValueSubject<Value, Never>(value))
        let token = sink(finish: { subject.content.send(completion: .finished) }) {
          subject.content.send($0)
        }
        return subject.content.handleEvents(receiveCancel: { token.cancel() })
      }
      .eraseToAnyPublisher()
    }
  }

  extension ResultPublisher {
    /// The result as a Combine publisher: publishes the value and `.finished`, or the failure.
    ///
    /// Each subscriber receives the result, even if the result existed before the subscription.
    /// Cancelling the subscription does not stop the operation that produces the result.
    public var publisher: AnyPublisher<Value, Failure> {
      Deferred {
        Future<Value, Failure> { promise in
          let promise = FromAnyThread(content: promise)
          self.observe { promise.content($0) }
        }
      }
      .eraseToAnyPublisher()
    }
  }

  extension ObservationToken: Combine.Cancellable {}

  // This type is Sendable because Combine's subjects and promises may be used from any thread.
  private struct FromAnyThread<Content>: @unchecked Sendable {
    let content: Content
  }
#endif
