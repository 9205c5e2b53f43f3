/// The part of a transaction that resolves one reason of an interruption, or that applies a
/// recommended value of `isEnabled`. When the last reason is resolved, the part applies the saved
/// value of `isEnabled`. This is the value before the interruption, or a value that was recommended
/// during the interruption.
final class RestorePart: ValuePart {
  enum Purpose {
    case resolve(InterruptionReason)
    /// Applies a recommended value. During an interruption, the recommended value is only stored.
    /// The stored value is applied when the interruption ends.
    case adopt(Bool)
  }

  private let purpose: Purpose
  private let sources: InterruptionSources
  private var nothingToApply = false
  /// The error if the reason cannot be resolved, or nil if the reason can be resolved.
  private(set) var refusal: ProcessingError?
  /// Whether the session is interrupted after the transaction.
  private(set) var isStillInterrupted = false

  init(_ lane: Lane<Bool>, _ sources: InterruptionSources, _ purpose: Purpose) {
    self.purpose = purpose
    self.sources = sources
    super.init(lane)
  }

  override var isIdle: Bool { nothingToApply }

  override func choose(_ interruptions: Interruptions) -> Box {
    switch purpose {
    case .adopt(let value):
      nothingToApply = interruptions.isInterrupted
      return nothingToApply ? previousValue : ValueBox(value)
    case .resolve(let reason):
      refusal = interruptions.refusal(of: reason)
      nothingToApply = refusal != nil || interruptions.reasons.count > 1
      guard !nothingToApply, let value = interruptions.valueToRestore else { return previousValue }
      return ValueBox(value)
    }
  }

  override func commit(
    _ interruptions: inout Interruptions, _ notices: inout [Notice], at position: Int
  ) {
    super.commit(&interruptions, &notices, at: position)
    switch purpose {
    case .adopt(let value):
      if nothingToApply { interruptions.valueToRestore = value }
      isStillInterrupted = nothingToApply
    case .resolve(let reason):
      guard refusal == nil else { return }
      interruptions.resolve(reason)
      isStillInterrupted = interruptions.isInterrupted
      sources.publish(interruptions, &notices)
    }
  }
}
