public import HearingProcessing

/// A drop operation, which adds a piece to a library.
///
///     let drop = exchange.drop(metadata, renderer: renderer)
///     let piece = try await drop.result.get()
///
/// If the `PieceDrop` object is released, the drop operation continues.
public final class PieceDrop: Sendable {
  /// The added piece, or the reason why the drop operation failed.
  public let result: ResultPublisher<Piece, DropError>

  private let task: Task<Void, Never>

  private init(result: ResultPublisher<Piece, DropError>, task: Task<Void, Never>) {
    self.result = result
    self.task = task
  }

  /// Starts the drop operation.
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

  /// Cancels the drop operation. This method may be called from any thread.
  ///
  /// A cancelled drop operation ends with ``DropError/cancelled`` and leaves no files. A running
  /// closure of the renderer is not interrupted. A cancelled operation ends after the running
  /// closure has returned. If the piece is already visible in the library, the operation succeeds
  /// despite the cancellation.
  public func cancel() {
    task.cancel()
  }
}

extension PieceExchange {
  /// Starts an operation that adds a piece to the library (a drop operation). The operation
  /// renders, checks and stores the piece.
  ///
  ///     let drop = exchange.drop(metadata, renderer: PieceRenderer { .file(bounce) })
  ///     let piece = try await drop.result.get()
  ///
  /// The renderer delivers one part after another, on a background thread. The drop operation
  /// copies all parts to a hidden folder, and checks the copies. When all parts are complete, the
  /// library makes the whole piece visible in one atomic step.
  ///
  /// - Parameters:
  ///   - metadata: The metadata of the piece.
  ///   - renderer: The renderer that delivers the parts of the piece, and receives the result.
  ///   - progress: A closure that is called on the thread that performs the drop operation. `part`
  ///     is the part that is being rendered, copied or checked. `part` is nil while the library
  ///     makes the piece visible. `fraction` is the completed fraction of the drop operation, 0…1.
  ///     Each part has the same weight in `fraction`. `fraction` never decreases, and is 1 when the
  ///     piece is in the library.
  /// - Returns: The running drop operation.
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
