internal import HearingProcessing

/// Runs steps one at a time, in order, on the threads that add the steps.
final class SerialQueue: Sendable {
  typealias Step = @Sendable () -> Void

  private struct State: Sendable {
    var waiting = FIFO<Step>()
    var isRunning = false
  }

  private let state = Lock(State())

  /// Adds a step, and runs all steps of the queue.
  ///
  /// If another thread, or an outer call on the same thread, is running steps, that call also runs
  /// this step.
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
