internal import HearingProcessing

/// Runs closures one at a time, in order, on the threads that add them. Each closure is a step.
final class SerialQueue: Sendable {
  typealias Step = @Sendable () -> Void

  private struct State: Sendable {
    var waiting = FIFO<Step>()
    var isRunning = false
  }

  private let state = Lock(State())

  /// Adds a step, and runs all steps of the queue.
  ///
  /// If another call is already running steps, that call also runs the new step. The other call may
  /// be on another thread, or an outer call on the same thread.
  ///
  /// - Parameter willAdd: Called under the lock of the queue, before the step is added.
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
