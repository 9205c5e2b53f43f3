internal import Foundation

/// A session's interruptions as a state machine: which reasons stand, what is to be restored, which
/// calls wait for their turn.
///
/// Calls are carried out one after the other by one thread at a time. The machine says what to do;
/// the session does it outside the lock and tells the outcome. Reasons are only compared outside
/// too: their `==` and `hash(into:)` are the user's.
struct Interruptions: Sendable {
  typealias Reasons = Set<InterruptionReason>
  typealias Outcome = ResultPublisher<Bool, ProcessingError>

  /// The reasons for which the session is interrupted.
  private(set) var reasons: Reasons = []
  /// The value that stands for `isEnabled` when the interruption ends.
  private(set) var valueToRestore: Bool?
  private(set) var isClosed = false
  private var waiting = FIFO<Call>()
  private var current: Call?
  /// Whether a thread carries out calls, or tells of one that it has carried out.
  private var isDriven = false
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
    /// Nothing; the thread is free.
    case none
    /// Find out what the operation makes of the reasons, then tell `weighed`.
    case weigh(Operation, Reasons)
    /// Put a value in place of `isEnabled`'s, then tell `imposed`, with the reasons as they are when
    /// that succeeds.
    case impose(Bool, Reasons)
    /// Bring back to false every applicator of `isEnabled` that may be at true, then call
    /// `broughtBack` with the same arguments.
    case bringBack(Reasons, ParameterError?)
    /// Publish whether the session is interrupted, then settle the call, then ask for `next`.
    /// `displaced`: only to be released outside the lock.
    case finish(Call, Result<Bool, ProcessingError>, displaced: Reasons)
  }

  var isInterrupted: Bool { !reasons.isEmpty }

  /// Whether values for `isEnabled` are refused.
  var refusesValues: Bool { isInterrupted || pendingInterrupts > 0 }

  /// Takes a call; true if the calling thread is to go on with `next`.
  mutating func submit(_ call: Call) -> Bool {
    guard !isClosed else { return false }
    if case .interrupt = call.operation { pendingInterrupts += 1 }
    waiting.append(call)
    defer { isDriven = true }
    return !isDriven
  }

  /// What the call whose turn it is needs.
  mutating func next() -> Action {
    current = waiting.popFirst()
    guard let current else {
      isDriven = false
      return .none
    }
    switch current.operation {
    case .interrupt, .resolve:
      return .weigh(current.operation, reasons)
    case .adopt(let value):
      guard isInterrupted else { return .impose(value, []) }
      valueToRestore = value
      return finish(.success(true))
    }
  }

  /// The current call would make the reasons `newReasons`.
  mutating func weighed(_ newReasons: Reasons) -> Action {
    guard let current else { return next() }
    switch current.operation {
    case .interrupt:
      return isInterrupted ? .bringBack(newReasons, nil) : .impose(false, newReasons)
    case .resolve:
      guard isInterrupted else { return finish(.failure(.notInterrupted)) }
      guard newReasons.count < reasons.count else {
        return finish(.failure(.interruptionNotFound))
      }
      if newReasons.isEmpty, let valueToRestore { return .impose(valueToRestore, []) }
    case .adopt:
      preconditionFailure("a value is weighed as a reason")
    }
    return succeed(newReasons)
  }

  /// The imposed value is about to take the place of `value`.
  mutating func replacing(_ value: Bool) {
    if case .interrupt = current?.operation { valueToRestore = value }
  }

  /// `isEnabled` took the imposed value, or did not.
  mutating func imposed(_ newReasons: Reasons, _ error: ParameterError?) -> Action {
    guard let current else { return next() }
    switch (current.operation, error) {
    case (.interrupt, .some), (.resolve, nil): valueToRestore = nil
    case (.interrupt, nil), (.resolve, .some), (.adopt, _): break
    }
    guard let error else { return succeed(newReasons) }
    if case .resolve = current.operation { return .bringBack(reasons, error) }
    return finish(.failure(ProcessingError(error)))
  }

  /// The applicators are at false again, or `failure` is the first that may not be.
  ///
  /// - Parameter cause: Why the value could not be restored; nil after an `interrupt`.
  mutating func broughtBack(
    _ newReasons: Reasons, _ cause: ParameterError?, _ failure: ParameterError?
  ) -> Action {
    guard current != nil else { return next() }
    if let error = cause ?? failure { return finish(.failure(ProcessingError(error))) }
    return succeed(newReasons)
  }

  /// The session is over: returns the calls that fail, in order.
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

// Sendable because it can only be made from a value that is.
/// A reason to hold processing off: any value that can be told from another.
///
/// `interrupt(reason:)` and `resolve(interruption:)` take such a reason for the value that it wraps.
public struct InterruptionReason: Hashable, CustomStringConvertible, @unchecked Sendable {
  /// The value that was given as the reason.
  public let base: AnyHashable

  /// A reason from any value; a reason stays as it is.
  public init(_ base: some Hashable & Sendable) {
    self = base as? InterruptionReason ?? InterruptionReason(base: AnyHashable(base))
  }

  private init(base: AnyHashable) {
    self.base = base
  }

  /// The reason in words.
  public var description: String { "\(base.base)" }
}

extension Set<InterruptionReason> {
  /// Whether the value is one of the reasons.
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

// Sendable because `reason` can only be made from a value that is.
/// The reason of one `withInterruption` as it stands in `interruptions`: distinct from any equal
/// one, so that only the scope itself resolves it.
public struct ScopedInterruption: Hashable, CustomStringConvertible, @unchecked Sendable {
  /// What the caller gave as the reason.
  public let reason: AnyHashable
  private let scope = UUID()

  init(_ reason: some Hashable & Sendable) {
    self.reason = AnyHashable(reason)
  }

  /// The reason in words.
  public var description: String { "\(reason.base)" }
}
