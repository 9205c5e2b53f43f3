internal import HearingProcessing

/// Runs closures (steps) one at a time and in order, on the threads that add steps.
final class SerialQueue: Sendable {
  typealias Step = @Sendable () -> Void

  private struct State: Sendable {
    var waiting = FIFO<Step>()
    var isRunning = false
  }

  private let state = Lock(State())

  /// Adds a step, and runs all steps of the queue.
  ///
  /// If another call of this method is already running steps, that call also runs the new step, and
  /// this call returns immediately. The other call may be on another thread, or may be an outer
  /// call on the same thread.
  ///
  /// - Parameter willAdd: Called before the step is added, under the lock of the queue.
  func run(willAdd: () -> Void = {}, _ step: @escaping Step) {
    let isIdle = state.withLock { state in
      willAdd()
      state.waiting.append(step)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    guard isIdle else { return }
    while let step = next() { step() }
  }

  /// Removes and returns the next step. Nil if no step is waiting; the queue is then idle.
  private func next() -> Step? {
    state.withLock { state in
      let step = state.waiting.popFirst()
      state.isRunning = step != nil
      return step
    }
  }
}
