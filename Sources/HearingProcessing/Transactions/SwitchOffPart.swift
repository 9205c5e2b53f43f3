/// The part of a transaction that switches applicators of `isEnabled` off. The part applies `false`
/// to every applicator that has applied `true`, and to every applicator with an unknown value. If
/// one applicator refuses or fails, the other applicators are still called. After the transaction,
/// the value of `isEnabled` is `false`, even if applicators have failed.
final class SwitchOffPart: ValuePart {
  private let sources: InterruptionSources
  /// The reason of the interruption that this part begins, or nil if the part begins no
  /// interruption.
  private let reason: InterruptionReason?

  init(_ lane: Lane<Bool>, _ sources: InterruptionSources, reason: InterruptionReason? = nil) {
    self.sources = sources
    self.reason = reason
    super.init(lane, target: ValueBox(false))
  }

  /// True if the interruption for which this part was created ended before the transaction began.
  private var isTooLate = false

  override var isIdle: Bool { isTooLate }

  override var isIndependent: Bool { true }

  override func choose(_ interruptions: Interruptions) -> Box {
    isTooLate = reason == nil && !interruptions.isInterrupted
    return isTooLate ? previousValue : super.choose(interruptions)
  }

  override func isOutOfDate(_ record: ApplicatorRecord) -> Bool { lane.amplifies(record) }

  override func commit(
    _ interruptions: inout Interruptions, _ notices: inout [Notice], at position: Int
  ) {
    super.commit(&interruptions, &notices, at: position)
    guard let reason else { return }
    interruptions.record(reason, previousValue: ValueBox<Bool>.open(previousValue))
    sources.publish(interruptions, &notices)
  }

  override func conclude(
    _ error: ParameterError?, _ interruptions: inout Interruptions, _ progress: LaneProgress
  ) -> [Notice] {
    if reason != nil { interruptions.pending -= 1 }
    return super.conclude(error, &interruptions, progress)
  }
}
