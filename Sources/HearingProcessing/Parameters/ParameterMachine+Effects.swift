// What the machine's owner must do outside the lock after an event.

extension ParameterMachine {
  /// The next action of the driving thread on the current sequence.
  @usableFromInline
  enum Action: Sendable {
    /// Nothing: the thread no longer drives.
    case rest
    /// End the publishers; after that there is nothing more to do.
    case finish
    /// Make this the current sequence, then do the same as for `compare`.
    case begin(Sequence)
    /// Compare the applicator's latest value with the target, then call `compared`.
    case compare
    /// Call `canApply`, then call `verified`.
    case verify
    /// Call the `apply` handler, then call `returned`.
    case call
    /// Describe the failure, then call `failed`.
    case fail
    /// Store and publish how the sequence ended, then call `next`.
    case conclude
    /// Continue the update that the sequence belongs to: this parameter has reached its next stage.
    case pause
    /// The next request is part of an update, `blockingUpdate`, which may be able to start now.
    case offer

    /// Whether the thread no longer drives.
    @inlinable
    var isLast: Bool {
      switch self {
      case .rest, .finish, .pause, .offer: true
      case .begin, .compare, .verify, .call, .fail, .conclude: false
      }
    }
  }

  /// The work that remains after an event that is not part of driving.
  @usableFromInline
  struct Effects: Sendable {
    @usableFromInline var action = Action.rest
    @usableFromInline var rest: [Effect] = []

    @inlinable
    init() {}

    @inlinable
    init(failing request: Request, _ error: ParameterError) {
      fail(request, error)
    }

    @inlinable
    mutating func fail(_ request: Request?, _ error: ParameterError) {
      guard let request else { return }
      if let update = request.update {
        rest.append(.end(update, error))
      } else {
        rest.append(.fail(request, error))
      }
    }

    @inlinable
    mutating func cancel(_ token: ObservationToken?) {
      if let token { rest.append(.cancel(token)) }
    }

    mutating func release(_ displaced: some Sendable) {
      rest.append(.release(displaced))
    }
  }

  @usableFromInline
  enum Effect: Sendable {
    /// Carries the request, so that the request's value is released outside the lock.
    case fail(Request, ParameterError)
    /// An update of several parameters has failed.
    case end(JointUpdate, ParameterError)
    /// The request is to join the session's line, before all others if `isNext`.
    case join(Request, isNext: Bool)
    case cancel(ObservationToken)
    case set(Debounce<Value>.Timer)
    /// Only release the value outside the lock.
    case release(any Sendable)
  }
}
