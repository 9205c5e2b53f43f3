internal import Foundation

/// A session's interruptions as a state machine: the active reasons, the value to restore, and the
/// queue of calls.
///
/// Calls are performed one after the other by one thread at a time. The machine returns an action;
/// the session performs it outside the lock and reports the outcome. Reasons are also compared only
/// outside the lock: their `==` and `hash(into:)` are user code.
struct Interruptions: Sendable {
  typealias Reasons = Set<InterruptionReason>
  typealias Outcome = ResultPublisher<Bool, ProcessingError>

  /// The reasons for which the session is interrupted.
  private(set) var reasons: Reasons = []
  /// The value that `isEnabled` gets when the interruption ends; nil: none.
  private(set) var valueToRestore: Bool?
  private(set) var isClosed = false
  private var waiting = FIFO<Call>()
  private var current: Call?
  /// Whether a thread performs calls or publishes the outcome of one.
  private var isDriven = false
  /// The number of unfinished `interrupt` calls; while there are any, values are refused.
  private var pendingInterrupts = 0

  enum Operation: Sendable {
    case interrupt(InterruptionReason)
    case resolve(InterruptionReason)
    /// A recommended value for `isEnabled`: during an interruption it becomes the value to
    /// restore.
    case adopt(Bool)
  }

  struct Call: Sendable {
    let operation: Operation
    let outcome: Outcome
  }

  /// What the session does next.
  enum Action: Sendable {
    /// Nothing; the thread is free.
    case none
    /// Compute the reasons after the operation, then call `reasonsChanged`.
    case changeReasons(Operation, Reasons)
    /// Set `isEnabled` to a value, then call `imposed` with the same reasons, which become the
    /// active ones if that succeeds.
    case impose(Bool, Reasons)
    /// Apply false to every applicator of `isEnabled` that may be at true, then call `switchedOff`
    /// with the same arguments.
    case switchOff(Reasons, ParameterError?)
    /// Publish whether the session is interrupted, then settle the call, then ask for `next`.
    /// `displaced` must be released outside the lock.
    case finish(Call, Result<Bool, ProcessingError>, displaced: Reasons)
  }

  var isInterrupted: Bool { !reasons.isEmpty }

  /// Whether values for `isEnabled` are refused.
  var refusesValues: Bool { isInterrupted || pendingInterrupts > 0 }

  /// Queues a call; true if the calling thread must continue with `next`.
  mutating func submit(_ call: Call) -> Bool {
    guard !isClosed else { return false }
    if case .interrupt = call.operation { pendingInterrupts += 1 }
    waiting.append(call)
    defer { isDriven = true }
    return !isDriven
  }

  /// Begins the next call.
  mutating func next() -> Action {
    current = waiting.popFirst()
    guard let current else {
      isDriven = false
      return .none
    }
    switch current.operation {
    case .interrupt, .resolve:
      return .changeReasons(current.operation, reasons)
    case .adopt(let value):
      guard isInterrupted else { return .impose(value, []) }
      valueToRestore = value
      return finish(.success(true))
    }
  }

  /// Continues the current call, which would change the reasons to `newReasons`.
  mutating func reasonsChanged(_ newReasons: Reasons) -> Action {
    guard let current else { return next() }
    switch current.operation {
    case .interrupt:
      return isInterrupted ? .switchOff(newReasons, nil) : .impose(false, newReasons)
    case .resolve:
      guard isInterrupted else { return finish(.failure(.notInterrupted)) }
      guard newReasons.count < reasons.count else {
        return finish(.failure(.interruptionNotFound))
      }
      if newReasons.isEmpty, let valueToRestore { return .impose(valueToRestore, []) }
    case .adopt:
      preconditionFailure("an adopted value changes no reasons")
    }
    return succeed(newReasons)
  }

  /// Remembers `value`, which the imposed value is about to replace.
  mutating func replacing(_ value: Bool) {
    if case .interrupt = current?.operation { valueToRestore = value }
  }

  /// Takes the result of imposing a value on `isEnabled`; a nil `error` is success.
  mutating func imposed(_ newReasons: Reasons, _ error: ParameterError?) -> Action {
    guard let current else { return next() }
    switch (current.operation, error) {
    case (.interrupt, .some), (.resolve, nil): valueToRestore = nil
    case (.interrupt, nil), (.resolve, .some), (.adopt, _): break
    }
    guard let error else { return succeed(newReasons) }
    if case .resolve = current.operation { return .switchOff(reasons, error) }
    return finish(.failure(ProcessingError(error)))
  }

  /// Takes the result of applying false to the applicators; `failure` is the first error, if any.
  ///
  /// - Parameter cause: Why the value could not be restored; nil after an `interrupt`.
  mutating func switchedOff(
    _ newReasons: Reasons, _ cause: ParameterError?, _ failure: ParameterError?
  ) -> Action {
    guard current != nil else { return next() }
    if let error = cause ?? failure { return finish(.failure(ProcessingError(error))) }
    return succeed(newReasons)
  }

  /// Ends the machine with the session: returns the calls that fail, in order.
  mutating func close() -> [Call] {
    isClosed = true
    pendingInterrupts = 0
    return [current.take()].compactMap { $0 } + waiting.removeAll { _ in true }
  }

  private mutating func succeed(_ newReasons: Reasons) -> Action {
    let displaced = reasons
    reasons = newReasons
    return finish(.success(isInterrupted), displaced: displaced)
  }

  private mutating func finish(
    _ result: Result<Bool, ProcessingError>, displaced: Reasons = []
  ) -> Action {
    guard let finished = current.take() else { return next() }
    if case .interrupt = finished.operation { pendingInterrupts -= 1 }
    return .finish(finished, result, displaced: displaced)
  }
}

// Sendable because it can only be created from a Sendable value.
/// A reason to interrupt processing: any hashable value.
///
/// `interrupt(reason:)` and `resolve(interruption:)` treat such a reason as the value it wraps.
public struct InterruptionReason: Hashable, CustomStringConvertible, @unchecked Sendable {
  /// The value passed as the reason.
  public let base: AnyHashable

  /// Wraps a value as a reason; an `InterruptionReason` is not wrapped again.
  public init(_ base: some Hashable & Sendable) {
    self = base as? InterruptionReason ?? InterruptionReason(base: AnyHashable(base))
  }

  private init(base: AnyHashable) {
    self.base = base
  }

  /// The description of the wrapped value.
  public var description: String { "\(base.base)" }
}

extension Set<InterruptionReason> {
  /// Whether `reason` is one of the reasons, wrapped or not.
  public func contains(_ reason: some Hashable & Sendable) -> Bool {
    contains { $0 == InterruptionReason(reason) }
  }
}

extension InterruptionReason: ExpressibleByStringLiteral {
  /// The string as a reason.
  public init(stringLiteral value: String) {
    self.init(value)
  }
}

// Sendable because `reason` can only be created from a Sendable value.
/// The reason of one `withInterruption` call as listed in `interruptions`. It is distinct from any
/// equal reason, so that an equal value does not resolve it.
public struct ScopedInterruption: Hashable, CustomStringConvertible, @unchecked Sendable {
  /// The value that the caller passed as the reason.
  public let reason: AnyHashable
  private let scope = UUID()

  init(_ reason: some Hashable & Sendable) {
    self.reason = AnyHashable(reason)
  }

  /// The description of the caller's value.
  public var description: String { "\(reason.base)" }
}
