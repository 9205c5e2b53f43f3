/// A closure that is called at most once and then released. The method `cancel()` releases the
/// closure without calling it.
final class CancellableWork: Sendable {
  /// The type of the closure. The argument is the `CancellableWork` that calls the closure, so that
  /// the closure can check `isCancelled`.
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

  /// Cancels the work. Returns false if the closure was already called, or if the work was already
  /// cancelled.
  @discardableResult
  func cancel() -> Bool {
    let cancelled = state.withLock { state in
      state.isCancelled = true
      return state.work.take()
    }
    return cancelled != nil
  }
}
