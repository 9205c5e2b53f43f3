/// A closure that is called at most once and then released. Cancelling releases the closure without
/// a call.
final class CancellableWork: Sendable {
  /// The argument is the work itself. During its call, the closure can check `isCancelled`.
  typealias Work = @Sendable (CancellableWork) -> Void

  private let state: Lock<(work: Work?, isCancelled: Bool)>

  init(_ work: @escaping Work) {
    state = Lock((work, isCancelled: false))
  }

  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  func run() {
    let work = state.withLock { $0.work.take() }
    work?(self)
  }

  /// Cancels the work. Returns false if the work has already begun or has already been cancelled.
  @discardableResult
  func cancel() -> Bool {
    let cancelled = state.withLock { state in
      state.isCancelled = true
      return state.work.take()
    }
    return cancelled != nil
  }
}
