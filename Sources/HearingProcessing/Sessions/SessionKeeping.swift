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

  /// Watches values for as long as it lives.
  func watch(_ watching: [ObservationToken]) {
    tokens.withLock { $0 = watching }
  }

  /// Keeps what `read` says some time soon.
  func keep(_ read: @escaping @Sendable () -> SessionSnapshot) {
    archive.save(edition, read)
  }
}
