/// Why a session is interrupted, and the value of `isEnabled` to restore; part of the machine.
struct Interruptions: Sendable {
  private(set) var reasons: Set<InterruptionReason> = []
  /// The value that `isEnabled` gets when the interruption ends; nil: none.
  var valueToRestore: Bool?
  /// The number of unfinished calls of `interrupt`.
  var pending = 0

  var isInterrupted: Bool { !reasons.isEmpty }

  /// Whether the session is interrupted or about to be.
  var isActive: Bool { isInterrupted || pending > 0 }

  /// Why a reason cannot be resolved; nil if it can.
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

/// Publishes whether a session is interrupted, and why.
struct InterruptionSources: Sendable {
  let isInterrupted = CurrentValueSource(false, observation: ObservedProperty())
  let reasons = CurrentValueSource<Set<InterruptionReason>>([], observation: ObservedProperty())

  /// Under the lock: stores the state, if it has changed.
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
