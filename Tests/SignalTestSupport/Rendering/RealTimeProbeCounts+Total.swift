package import RealTimeProbe

extension RealTimeProbeCounts {
  /// The number of all calls that are forbidden on the render path.
  package var total: Int64 {
    allocations + deallocations + locks + retains + releases + objects + accesses
  }
}
