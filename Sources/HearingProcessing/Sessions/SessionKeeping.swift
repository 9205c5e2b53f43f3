/// Keeps a session's values in an archive as they are committed.
final class SessionKeeping: Sendable {
  private let archive: SessionArchive
  /// Tells this session's values from those of earlier ones.
  private let edition: UInt64
  private let tokens = Lock<[ObservationToken]>([])

  init(_ archive: SessionArchive, edition: UInt64) {
    self.archive = archive
    self.edition = edition
  }

  /// Watches the session's parameters.
  func begin(_ session: ProcessingSession) {
    let keep: @Sendable () -> Void = { [weak self, weak session] in
      if let self, let session { self.keep(session) }
    }
    let watching = [
      session.isEnabled.$value.sink { _ in keep() },
      session.intensity.$value.sink { _ in keep() },
      session.preset.$value.sink { _ in keep() },
    ]
    tokens.withLock { $0 = watching }
  }

  func keep(_ session: ProcessingSession) {
    archive.save(edition) { session.snapshot }
  }
}
