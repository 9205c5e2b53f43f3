/// Saves a session's values in an archive whenever a value is committed.
final class SessionAutosave: Sendable {
  private let archive: SessionArchive
  /// The edition of this session, which separates its values from those of earlier ones.
  private let edition: UInt64
  private let tokens = Lock<[ObservationToken]>([])

  init(_ archive: SessionArchive, edition: UInt64) {
    self.archive = archive
    self.edition = edition
  }

  /// Saves after every new value of `session`, as long as this object lives.
  func observe(_ session: ProcessingSession) {
    let observing = SessionValues.parameters.map { parameter in
      parameter.observe(session) { [weak session] in session?.save() }
    }
    tokens.withLock { $0 = observing }
  }

  /// Schedules a save of the values that `read` returns at that time.
  func save(_ read: @escaping @Sendable () -> SessionValues) {
    archive.save(edition, read)
  }
}
