import Synchronization

/// A clock that advances by a fixed step whenever the test reads it.
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
