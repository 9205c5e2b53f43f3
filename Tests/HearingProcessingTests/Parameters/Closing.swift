@testable import HearingProcessing

extension ProcessingParameter {
  /// Ends the parameter as the end of its session does.
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
  /// Whether an applicator may be at true.
  var mayAmplify: Bool {
    lanes.kernel.withLock { _ in lanes.isEnabled.lane.mayAmplify || lanes.whole.lane.mayAmplify }
  }
}

extension Lane {
  fileprivate var mayAmplify: Bool {
    applicators.entries.contains { $0.element.map { mayAmplify($0) } ?? false }
  }
}
