package import RealTimeProbe

extension RealTimeProbeCounts {
  /// The total number of calls that the render path must not make.
  package var total: Int64 {
    allocations + deallocations + locks + retains + releases + objects + accesses
  }
}
