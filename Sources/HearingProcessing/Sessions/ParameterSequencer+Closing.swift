extension ParameterSequencer {
  /// Closes the parameter at once: whatever waits or is in flight fails, and so does all that comes.
  ///
  /// - Returns: Tells those whom it concerns; to be called outside all locks.
  func closing() -> @Sendable () -> Void {
    let change = prepare { $0.close() }
    return { [self] in
      perform(change)
      finishPublishers()
    }
  }
}
