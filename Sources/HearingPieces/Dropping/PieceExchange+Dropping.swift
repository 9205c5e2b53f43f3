extension PieceExchange {
  /// Drops a piece into the library.
  ///
  ///     let drop = exchange.drop(metadata, renderer: PieceRenderer { .file(bounce) })
  ///     let piece = try await drop.result.get()
  ///
  /// The renderer is asked for each part off this thread, one after the other. All parts are copied
  /// to a hidden place and checked there; only the whole piece becomes visible, in one step.
  ///
  /// - Parameters:
  ///   - metadata: What is known of the piece.
  ///   - renderer: Delivers the parts, and is told how it ended.
  ///   - progress: Told how far the drop has come, on the thread that works at it; never less than
  ///     before.
  /// - Returns: The drop, which has begun.
  @discardableResult
  public func drop(
    _ metadata: PieceMetadata, renderer: PieceRenderer,
    progress: (@Sendable (DropProgress) -> Void)? = nil
  ) -> PieceDrop {
    let work = DropWork(
      exchange: self, metadata: metadata, renderer: renderer,
      course: DropCourse(renderer, report: progress))
    return PieceDrop.start(
      { () async throws(DropError) in try await work.run() },
      ended: renderer.dropEnded)
  }
}
