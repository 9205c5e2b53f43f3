/// Asynchronous calls that wait until a test answers them. With these calls, a test controls which
/// operations overlap.
///
/// The code under test waits in ``next()``. If its task is cancelled, this object records the
/// cancellation, and ``next()`` still waits for an answer.
public final class PendingCalls<Answer: Sendable>: Sendable {
  private let state = Guarded(State())

  private struct State {
    var calls: [Call] = []
    var waiters: [(isMet: @Sendable ([Call]) -> Bool, continuation: Waiter)] = []
  }

  private typealias Waiter = CheckedContinuation<Void, Never>

  private struct Call: Sendable {
    var continuation: CheckedContinuation<Answer, any Error>?
    var early: Result<Answer, any Error>?
    var isCancelled = false

    var isReady: Bool { continuation != nil || early != nil }
  }

  /// Creates an empty list of calls.
  public init() {}

  /// The number of calls that have begun.
  public var count: Int { state.withLock { $0.calls.count } }

  /// Begins a call and waits until the test answers it.
  public func next() async throws -> Answer {
    let index = state.withLock { state in
      state.calls.append(Call())
      return state.calls.count - 1
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let early = change { calls in
          if calls[index].early == nil { calls[index].continuation = continuation }
          return calls[index].early
        }
        if let early { continuation.resume(with: early) }
      }
    } onCancel: {
      change { $0[index].isCancelled = true }
    }
  }

  /// Answers the call at `index`. The first call has index 0.
  public func answer(_ index: Int, _ result: Result<Answer, any Error>) {
    let continuation = change { calls in
      calls[index].early = result
      return calls[index].continuation.take()
    }
    continuation?.resume(with: result)
  }

  /// Waits until `count` calls have begun.
  public func begun(_ count: Int) async {
    await wait { $0.count >= count && $0.prefix(count).allSatisfy { $0.isReady } }
  }

  /// Waits until the task of the call at `index` is cancelled.
  public func cancelled(_ index: Int) async {
    await wait { $0.count > index && $0[index].isCancelled }
  }

  private func wait(_ isMet: @escaping @Sendable ([Call]) -> Bool) async {
    await withCheckedContinuation { continuation in
      let isMetNow = state.withLock { state in
        if isMet(state.calls) { return true }
        state.waiters.append((isMet, continuation))
        return false
      }
      if isMetNow { continuation.resume() }
    }
  }

  @discardableResult
  private func change<Result: Sendable>(_ change: (inout [Call]) -> Result) -> Result {
    let (result, met) = state.withLock { state in
      let result = change(&state.calls)
      let calls = state.calls
      let met = state.waiters.filter { $0.isMet(calls) }.map(\.continuation)
      state.waiters.removeAll { $0.isMet(calls) }
      return (result, met)
    }
    for waiter in met { waiter.resume() }
    return result
  }
}
