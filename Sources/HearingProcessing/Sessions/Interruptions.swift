/// A session's interruptions as a state machine: which reasons stand, what is to be restored, which
/// calls wait for their turn.
///
/// Calls are carried out one after the other. The machine says what to do; the session does it and
/// tells the outcome.
struct Interruptions: Sendable {
  typealias Outcome = ResultPublisher<Bool, ProcessingError>

  /// The reasons for which the session is interrupted.
  private(set) var reasons: Set<InterruptionReason> = []
  /// The value that stands for `isEnabled` when the interruption ends.
  private(set) var valueToRestore: Bool?
  private(set) var isClosed = false
  private var waiting = FIFO<Call>()
  private var current: Call?
  /// `interrupt` calls that are not carried out yet: they refuse values already.
  private var pendingInterrupts = 0

  enum Operation: Sendable {
    case interrupt(InterruptionReason)
    case resolve(InterruptionReason)
    /// A value for `isEnabled` that the session itself wants: during an interruption it becomes
    /// the value to restore.
    case adopt(Bool)
  }

  struct Call: Sendable {
    let operation: Operation
    let outcome: Outcome
  }

  /// What the session is to do next.
  enum Action: Sendable {
    /// Nothing; the thread that called is free.
    case none
    /// Put a value in place of `isEnabled`'s, then tell `imposed`.
    case impose(Bool)
    /// Publish whether the session is interrupted, then settle the call, then ask for `next`.
    case finish(Call, Result<Bool, ProcessingError>)
  }

  var isInterrupted: Bool { !reasons.isEmpty }

  /// Whether values for `isEnabled` are refused.
  var refusesValues: Bool { isInterrupted || pendingInterrupts > 0 }

  /// Takes a call; true if the calling thread is to go on with `next`. False once closed.
  mutating func submit(_ call: Call) -> Bool {
    guard !isClosed else { return false }
    if case .interrupt = call.operation { pendingInterrupts += 1 }
    waiting.append(call)
    return current == nil && begin()
  }

  /// What the call whose turn it is needs.
  mutating func next() -> Action {
    guard let current else { return .none }
    switch current.operation {
    case .interrupt(let reason):
      guard !isInterrupted else {
        reasons.insert(reason)
        return finish(.success(true))
      }
      return .impose(false)
    case .resolve(let reason):
      guard isInterrupted else { return finish(.failure(.notInterrupted)) }
      guard reasons.contains(reason) else { return finish(.failure(.interruptionNotFound)) }
      guard reasons.count == 1, let valueToRestore else {
        reasons.remove(reason)
        return finish(.success(true))
      }
      return .impose(valueToRestore)
    case .adopt(let value):
      guard isInterrupted else { return .impose(value) }
      valueToRestore = value
      return finish(.success(true))
    }
  }

  /// The imposed value is about to take the place of `value`.
  mutating func replacing(_ value: Bool) {
    if case .interrupt = current?.operation, !isInterrupted { valueToRestore = value }
  }

  /// `isEnabled` took the imposed value, or did not.
  mutating func imposed(_ error: ParameterError?) -> Action {
    guard let current else { return .none }
    switch (current.operation, error) {
    case (.interrupt(let reason), nil):
      reasons.insert(reason)
    case (.interrupt, .some):
      valueToRestore = nil
    case (.resolve, nil):
      reasons = []
      valueToRestore = nil
    case (.resolve, .some), (.adopt, _):
      break
    }
    return finish(error.map { .failure(ProcessingError($0)) } ?? .success(isInterrupted))
  }

  /// The session is over: returns the calls that fail, in order.
  mutating func close() -> [Call] {
    isClosed = true
    pendingInterrupts = 0
    let calls = [current].compactMap { $0 } + waiting.removeAll { _ in true }
    current = nil
    return calls
  }

  private mutating func finish(_ result: Result<Bool, ProcessingError>) -> Action {
    guard let finished = current else { return .none }
    if case .interrupt = finished.operation { pendingInterrupts -= 1 }
    current = nil
    _ = begin()
    return .finish(finished, result)
  }

  private mutating func begin() -> Bool {
    current = waiting.popFirst()
    return current != nil
  }
}
