/// The last part of a transaction, for the applicators of the whole session. Such an applicator
/// receives the values of all parameters together. These values include the changes of the other
/// parts of the transaction.
final class WholeSessionPart: ValuePart {
  private let session: Lane<SessionValues>
  private let others: [ValuePart]
  /// The values of the session after the transaction, or nil if the transaction failed.
  private(set) var committed: SessionValues?

  init(_ lane: Lane<SessionValues>, after others: [ValuePart]) {
    session = lane
    self.others = others
    super.init(lane)
  }

  override var isIdle: Bool { !others.isEmpty && others.allSatisfy(\.isIdle) }

  override var isIndependent: Bool { others.first?.isIndependent ?? false }

  override func choose(_ interruptions: Interruptions) -> Box { ValueBox(resulting) }

  /// The current values of the session, with the changes of the other parts of this transaction.
  private var resulting: SessionValues {
    var values = session.values.value
    for part in others { part.lane.write(part.target, to: &values) }
    return values
  }

  override func isOutOfDate(_ record: ApplicatorRecord) -> Bool {
    isIndependent ? lane.amplifies(record) : super.isOutOfDate(record)
  }

  /// Computes the session's values again, and stores the values. If there is no applicator of the
  /// whole session, other transactions can run at the same time. These transactions may have
  /// committed other values since this part began.
  override func commit(
    _ interruptions: inout Interruptions, _ notices: inout [Notice], at position: Int
  ) {
    let values = resulting
    committed = values
    guard others.contains(where: \.changesValue) else { return }
    notices.insert(lane.commit(ValueBox(values)), at: position)
  }
}
