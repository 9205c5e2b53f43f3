/// Saves a session's values in an archive whenever one is committed.
final class SessionAutosave: Sendable {
  private let archive: SessionArchive
  /// Tells this session's values from those of earlier ones.
  private let edition: UInt64
  private let tokens = Lock<[ObservationToken]>([])

  init(_ archive: SessionArchive, edition: UInt64) {
    self.archive = archive
    self.edition = edition
  }

  /// Saves with every new value of `session`, as long as this object lives.
  func observe(_ session: ProcessingSession) {
    let observing = SessionValues.parameters.map { parameter in
      parameter.observe(session) { [weak session] in session?.save() }
    }
    tokens.withLock { $0 = observing }
  }

  /// Saves soon what `read` returns then.
  func save(_ read: @escaping @Sendable () -> SessionValues) {
    archive.save(edition, read)
  }
}
