internal import HearingProcessing

/// Runs closures one at a time, in the order in which the closures were added.
///
/// The closures are called steps. The queue has no thread. The threads that add steps also run the
/// steps.
final class SerialQueue: Sendable {
  typealias Step = @Sendable () -> Void

  private struct State: Sendable {
    var waiting = FIFO<Step>()
    var isRunning = false
  }

  private let state = Lock(State())

  /// Adds a step, and runs all waiting steps of the queue.
  ///
  /// If the queue is already running steps, `run` returns immediately, and the thread that runs the
  /// steps also runs the new step. A step may also call `run`.
  ///
  /// - Parameter willAdd: A closure that is called under the queue's lock, before the step is
  ///   added.
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

  /// Removes and returns the next step. If no step is waiting, returns nil and marks the queue as
  /// idle.
  private func next() -> Step? {
    state.withLock { state in
      let step = state.waiting.popFirst()
      state.isRunning = step != nil
      return step
    }
  }
}
