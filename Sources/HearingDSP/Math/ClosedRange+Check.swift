extension ClosedRange {
  /// Throws the error that `failure` returns for `value`, unless the range contains `value`.
  package func check<Failure: Error>(
    _ value: Bound, _ failure: (Bound) -> Failure
  ) throws(Failure) {
    guard contains(value) else { throw failure(value) }
  }
}
