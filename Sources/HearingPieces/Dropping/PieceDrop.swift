public import HearingProcessing

/// A drop under way.
///
///     let drop = exchange.drop(metadata, renderer: renderer)
///     let piece = try await drop.result.get()
///
/// It runs whether anybody watches or not, and whether this is kept or not.
public final class PieceDrop: Sendable {
  /// The piece as it is in the library, or why it is not.
  public let result: ResultPublisher<Piece, DropError>

  private let task: Task<Void, Never>

  private init(result: ResultPublisher<Piece, DropError>, task: Task<Void, Never>) {
    self.result = result
    self.task = task
  }

  /// Begins to drop.
  static func start(
    _ work: @escaping @Sendable () async throws(DropError) -> Piece,
    ended: (@Sendable (Result<Piece, DropError>) -> Void)?
  ) -> PieceDrop {
    let result = ResultPublisher<Piece, DropError>()
    let task = Task.detached(executorPreference: DiskExecutor.shared) {
      let outcome: Result<Piece, DropError>
      do throws(DropError) {
        outcome = .success(try await work())
      } catch {
        outcome = .failure(error)
      }
      ended?(outcome)
      result.settle(outcome)
    }
    return PieceDrop(result: result, task: task)
  }

  /// Asks the drop to stop; any thread.
  ///
  /// It ends with ``DropError/cancelled`` and leaves nothing, as soon as the renderer returns if it is
  /// at work; or it goes through, if the piece was in its place already.
  public func cancel() {
    task.cancel()
  }
}
