public import HearingProcessing

/// A running drop.
///
///     let drop = exchange.drop(metadata, renderer: renderer)
///     let piece = try await drop.result.get()
///
/// A drop runs to its end, even if this object is released and the result is not observed.
public final class PieceDrop: Sendable {
  /// The piece in the library, or the reason why the drop failed.
  public let result: ResultPublisher<Piece, DropError>

  private let task: Task<Void, Never>

  private init(result: ResultPublisher<Piece, DropError>, task: Task<Void, Never>) {
    self.result = result
    self.task = task
  }

  /// Starts a drop.
  static func start(
    _ work: @escaping @Sendable () async throws(DropError) -> Piece,
    ended: @escaping @Sendable (Result<Piece, DropError>) -> Void
  ) -> PieceDrop {
    let result = ResultPublisher<Piece, DropError>()
    let task = Task.detached(executorPreference: DiskExecutor.shared) {
      let outcome: Result<Piece, DropError>
      do throws(DropError) {
        outcome = .success(try await work())
      } catch {
        outcome = .failure(error)
      }
      ended(outcome)
      result.settle(outcome)
    }
    return PieceDrop(result: result, task: task)
  }

  /// Cancels the drop. May be called from any thread.
  ///
  /// The drop ends with ``DropError/cancelled`` and leaves no files. If the renderer is running,
  /// the drop ends after the renderer has returned. If the piece is already published, the drop
  /// succeeds.
  public func cancel() {
    task.cancel()
  }
}

extension PieceExchange {
  /// Drops a piece into the library.
  ///
  ///     let drop = exchange.drop(metadata, renderer: PieceRenderer { .file(bounce) })
  ///     let piece = try await drop.result.get()
  ///
  /// The renderer is called for one part after another, on a different thread. All parts are copied
  /// to a hidden folder and checked there. Then the whole piece becomes visible in one step.
  ///
  /// - Parameters:
  ///   - metadata: The metadata of the piece.
  ///   - renderer: Delivers the parts, and receives the result.
  ///   - progress: Called on the thread of the drop. `part` is the part that is currently rendered,
  ///     copied and checked, or nil while the piece is being published. `fraction` is the completed
  ///     fraction of the drop, 0…1; it never decreases. All parts have equal weight. The fraction
  ///     is 1 when the piece is in the library.
  /// - Returns: The running drop.
  @discardableResult
  public func drop(
    _ metadata: PieceMetadata, renderer: PieceRenderer,
    progress: (@Sendable (_ part: PiecePart?, _ fraction: Double) -> Void)? = nil
  ) -> PieceDrop {
    let work = DropWork(
      exchange: self, metadata: metadata, renderer: renderer,
      progress: DropProgress(renderer, receive: progress))
    return PieceDrop.start(
      { () async throws(DropError) in try await work.run() },
      ended: { outcome in
        renderer.dropEnded?(outcome)
        if let ended = renderer.dropEndedOnMainActor { Task { @MainActor in ended(outcome) } }
      })
  }
}
