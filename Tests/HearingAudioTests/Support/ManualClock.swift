import Synchronization

/// A clock that goes on by a fixed step at every look.
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
