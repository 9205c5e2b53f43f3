#if canImport(Combine)
  public import Combine

  extension CurrentValuePublisher {
    /// The values as a Combine publisher, beginning with the current one.
    ///
    ///     let cancellable = session.intensity.$value.publisher
    ///       .removeDuplicates().sink { print($0) }
    ///
    /// Without demand, only the newest value is kept. Values arrive on the thread that publishes. A
    /// subscription does not keep the source alive; it finishes when the source is released or its
    /// session is deactivated, and a later one finishes at once.
    public var publisher: AnyPublisher<Value, Never> {
      Deferred {
        let subject = FromAnyThread(CurrentValueSubject<Value, Never>(value))
        let token = sink(finish: { subject.content.send(completion: .finished) }) {
          subject.content.send($0)
        }
        return subject.content.handleEvents(receiveCancel: { token.cancel() })
      }
      .eraseToAnyPublisher()
    }
  }

  extension ResultPublisher {
    /// The result as a Combine publisher: the value and `.finished`, or the failure.
    ///
    /// Each subscriber gets the result, late ones too. Cancelling ends the subscription, not the
    /// work that leads to the result.
    public var publisher: AnyPublisher<Value, Failure> {
      Deferred {
        Future<Value, Failure> { promise in
          let promise = FromAnyThread(promise)
          self.observe { promise.content($0) }
        }
      }
      .eraseToAnyPublisher()
    }
  }

  extension ObservationToken: Combine.Cancellable {}

  // Sendable because Combine lets subjects and promises be used from any thread.
  private struct FromAnyThread<Content>: @unchecked Sendable {
    let content: Content

    init(_ content: Content) {
      self.content = content
    }
  }
#endif
