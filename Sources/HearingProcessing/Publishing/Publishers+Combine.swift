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
    /// session is deactivated.
    public var publisher: AnyPublisher<Value, Never> {
      AnyPublisher(CurrentValueView(values: self))
    }
  }

  extension ResultPublisher {
    /// The result as a Combine publisher: the value and `.finished`, or the failure.
    ///
    /// Each subscriber gets the result, late ones too. Cancelling ends the subscription, not the
    /// work that leads to the result.
    public var publisher: AnyPublisher<Value, Failure> {
      AnyPublisher(ResultView(result: self))
    }
  }

  extension ObservationToken: Combine.Cancellable {}

  private struct CurrentValueView<Value: Sendable>: Combine.Publisher {
    typealias Output = Value
    typealias Failure = Never

    let values: CurrentValuePublisher<Value>

    func receive<Downstream: Combine.Subscriber>(
      subscriber: Downstream
    ) where Downstream.Input == Value, Downstream.Failure == Never {
      let demanded = DemandedValues(subscriber)
      subscriber.receive(subscription: demanded)
      demanded.keep(
        values.sink(finish: { [weak demanded] in demanded?.put(.finished) }) {
          [weak demanded] in demanded?.put($0)
        })
    }
  }

  private struct ResultView<Value: Sendable, Failure: Error>: Combine.Publisher {
    typealias Output = Value

    let result: ResultPublisher<Value, Failure>

    func receive<Downstream: Combine.Subscriber>(
      subscriber: Downstream
    ) where Downstream.Input == Value, Downstream.Failure == Failure {
      let demanded = DemandedValues(subscriber)
      subscriber.receive(subscription: demanded)
      demanded.keep(
        result.sink { [weak demanded] in
          demanded?.put($0)
        } receiveValue: { [weak demanded] in
          demanded?.put($0)
        })
    }
  }

  /// Delivers values on demand; without demand it keeps only the newest.
  ///
  /// One thread at a time delivers; values that arrive meanwhile are delivered next by that thread.
  private final class DemandedValues<Value: Sendable, Failure: Error>: Combine.Subscription,
    Sendable
  {
    typealias End = HearingProcessing.Completion<Failure>

    private let state: Lock<State>

    init<Downstream: Combine.Subscriber>(
      _ subscriber: Downstream
    ) where Downstream.Input == Value, Downstream.Failure == Failure {
      let receiver = Receiver {
        subscriber.receive($0).max
      } end: { end in
        switch end {
        case .finished: subscriber.receive(completion: .finished)
        case .failure(let failure): subscriber.receive(completion: .failure(failure))
        }
      }
      state = Lock(State(receiver: receiver))
    }

    func request(_ demand: Combine.Subscribers.Demand) {
      let count = demand.max
      handOn { state in
        state.ask(for: count)
        return nil
      }
    }

    func put(_ value: Value) {
      handOn { $0.put(value) }
    }

    func put(_ end: End) {
      handOn { state in
        state.end = end
        return nil
      }
    }

    /// Retains the observation until it is cancelled.
    func keep(_ token: ObservationToken) {
      let isOver = state.withLock { state in
        state.token = state.receiver == nil ? nil : token
        return state.receiver == nil
      }
      if isOver { token.cancel() }
    }

    func cancel() {
      let last = state.withLock { state in
        let last = state
        state = State(isHandingOn: state.isHandingOn)
        return last
      }
      last.token?.cancel()
    }

    /// - Parameter event: Returns values that must be released outside the lock.
    private func handOn(_ event: @Sendable (inout State) -> FIFO<Value>?) {
      let (_, isFirst) = state.withLock { state in
        let displaced = state.receiver == nil ? nil : event(&state)
        defer { state.isHandingOn = true }
        return (displaced, !state.isHandingOn)
      }
      guard isFirst else { return }
      while true {
        switch state.withLock({ $0.next() }) {
        case .nothing:
          return
        case .value(let value, let receiver):
          let count = receiver.value(value)
          state.withLock { $0.ask(for: count) }
        case .end(let end, let receiver):
          receiver.end(end)
        }
      }
    }

    // Sendable because the closures are only called by the one thread that delivers.
    private struct Receiver: @unchecked Sendable {
      /// Returns the additional demand; nil: unlimited.
      let value: (Value) -> Int?
      let end: (End) -> Void
    }

    private enum Next: Sendable {
      case nothing
      case value(Value, Receiver)
      case end(End, Receiver)
    }

    private struct State: Sendable {
      var receiver: Receiver?
      var demand = 0
      var waiting = FIFO<Value>()
      var end: End?
      var isHandingOn = false
      var token: ObservationToken?

      /// - Parameter count: Nil: unlimited.
      mutating func ask(for count: Int?) {
        let (sum, isTooLarge) = demand.addingReportingOverflow(count ?? .max)
        demand = isTooLarge ? .max : sum
      }

      /// - Returns: The values that `value` replaces.
      mutating func put(_ value: Value) -> FIFO<Value>? {
        let displaced = demand == 0 ? waiting : nil
        if demand == 0 { waiting = FIFO() }
        waiting.append(value)
        return displaced
      }

      mutating func next() -> Next {
        if let receiver {
          if demand > 0, let value = waiting.popFirst() {
            if demand < .max { demand -= 1 }
            return .value(value, receiver)
          }
          if waiting.isEmpty, let end {
            self.receiver = nil
            return .end(end, receiver)
          }
        }
        isHandingOn = false
        return .nothing
      }
    }
  }
#endif
