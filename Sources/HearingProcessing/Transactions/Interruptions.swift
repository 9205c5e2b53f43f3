/// The reasons why a session is interrupted, and the value of `isEnabled` that is restored when the
/// interruption ends.
struct Interruptions: Sendable {
  private(set) var reasons: Set<InterruptionReason> = []
  /// The value to restore in `isEnabled` when the interruption ends. Nil if there is no
  /// interruption.
  var valueToRestore: Bool?
  /// The number of unfinished calls of `interrupt`.
  var pending = 0

  var isInterrupted: Bool { !reasons.isEmpty }

  /// True if the session is interrupted, or if a call of `interrupt` is unfinished.
  var isActive: Bool { isInterrupted || pending > 0 }

  /// Returns an error if `reason` cannot be resolved, or nil if `reason` can be resolved.
  func refusal(of reason: InterruptionReason) -> ProcessingError? {
    guard isInterrupted else { return .notInterrupted }
    return reasons.contains(reason) ? nil : .interruptionNotFound
  }

  /// - Parameter previousValue: The value of `isEnabled` before the interruption.
  mutating func record(_ reason: InterruptionReason, previousValue: Bool) {
    if !isInterrupted { valueToRestore = previousValue }
    reasons.insert(reason)
  }

  mutating func resolve(_ reason: InterruptionReason) {
    reasons.remove(reason)
    if !isInterrupted { valueToRestore = nil }
  }
}

/// Publishes whether a session is interrupted, and for which reasons.
struct InterruptionSources: Sendable {
  let isInterrupted = CurrentValueSource(false, observation: ObservedProperty())
  let reasons = CurrentValueSource<Set<InterruptionReason>>([], observation: ObservedProperty())

  /// Stores the new reasons if the reasons have changed. Appends the closures that notify the
  /// subscribers to `notices`. The caller holds the kernel's lock.
  func publish(_ interruptions: Interruptions, _ notices: inout [Notice]) {
    if reasons.value != interruptions.reasons {
      notices.append(reasons.enqueue(interruptions.reasons))
    }
    if isInterrupted.value != interruptions.isInterrupted {
      notices.append(isInterrupted.enqueue(interruptions.isInterrupted))
    }
  }

  func finish() {
    isInterrupted.finish()
    reasons.finish()
  }
}
