/// The progress of an update of several parameters, as a state machine: every part is asked whether
/// it can apply before any applies, then each applies, then all finish together.
struct UpdateProgress: Sendable {
  private let parts: SeatOrder
  /// Whether a failure does not stop the rest.
  private let continuesAfterFailure: Bool
  private var stage = Stage.preparing
  /// The parts that are still to come in this stage.
  private var rest: SeatOrder
  private var error: ParameterError?

  private enum Stage: Sendable {
    case preparing, applying, finished
  }

  /// What the driving thread does next.
  enum Step: Sendable {
    /// Compare and verify the part, then call `paused`.
    case prepare(Int)
    /// Let the part's applicators apply, then call `paused`.
    case apply(Int)
    /// End the update for all its parameters: with success, or with the error.
    case finish(ParameterError?)
  }

  init(parts: SeatOrder, continuesAfterFailure: Bool = false) {
    self.parts = parts
    rest = parts
    self.continuesAfterFailure = continuesAfterFailure
  }

  /// The current part.
  private(set) var current: Int?

  /// Call when the update starts, and when the current part has reached the end of its stage.
  mutating func paused(_ failure: ParameterError? = nil) -> Step {
    if error == nil { error = failure }
    if error != nil, !continuesAfterFailure { return finish() }
    guard stage != .finished else { return finish() }
    var part = rest.next()
    if part == nil, stage == .preparing {
      stage = .applying
      rest = parts
      part = rest.next()
    }
    guard let part else { return finish() }
    current = part
    return stage == .preparing ? .prepare(part) : .apply(part)
  }

  private mutating func finish() -> Step {
    stage = .finished
    current = nil
    return .finish(error)
  }
}
