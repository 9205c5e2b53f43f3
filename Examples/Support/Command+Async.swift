extension Command {
  /// As ``run(_:)``, for work that waits.
  public func run(
    _ work: @Sendable () async throws(CommandFailure) -> Void
  ) async -> Never {
    let failure: CommandFailure?
    do {
      try await work()
      failure = nil
    } catch {
      failure = error
    }
    run { () throws(CommandFailure) in
      if let failure { throw failure }
    }
  }
}
