/// The task of an applicator call or of a load. If `cancel()` is called before the task is set, the
/// task is cancelled as soon as the task is set.
final class TaskSlot: Sendable {
  private let state = Lock((task: nil as Task<Void, Never>?, isCancelled: false))

  func set(_ task: Task<Void, Never>) {
    let isCancelled = state.withLock { state in
      state.task = task
      return state.isCancelled
    }
    if isCancelled { task.cancel() }
  }

  func cancel() {
    let task = state.withLock { state in
      state.isCancelled = true
      return state.task
    }
    task?.cancel()
  }
}
