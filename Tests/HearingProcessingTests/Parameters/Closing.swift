@testable import HearingProcessing

extension ProcessingParameter {
  /// Closes the parameter in the same way as the end of its session does.
  func close() {
    access.close()
  }
}

extension LaneAccess {
  func close() {
    kernel.run { $0.close(&$1) }
    lane.finish()
  }
}

extension ProcessingSession {
  /// Whether an applicator may still have the applied value true for `isEnabled`.
  var mayAmplify: Bool {
    lanes.kernel.withLock { _ in lanes.isEnabled.lane.mayAmplify || lanes.whole.lane.mayAmplify }
  }
}

extension Lane {
  fileprivate var mayAmplify: Bool {
    applicators.entries.contains { $0.element.map { mayAmplify($0) } ?? false }
  }
}
