import Synchronization

/// A clock for tests. It advances by a fixed time each time it is read.
final class ManualClock: Sendable {
  private let time = Mutex(0.0)
  private let step: Double

  init(step: Double) {
    self.step = step
  }

  func now() -> Double {
    time.withLock { time in
      time += step
      return time
    }
  }
}
