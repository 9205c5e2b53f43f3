/// The progress of dropping a piece.
public struct DropProgress: Sendable, Equatable {
  /// The part that is being rendered, copied and checked. Nil while the piece is being published.
  public let part: PiecePart?

  /// The fraction of the drop operation that is complete, 0…1. All parts have equal weight. The
  /// fraction is 1 when the piece is in the library.
  public let fraction: Double
}

/// Reports the progress of dropping a piece.
struct DropProgressReporter: Sendable {
  private let parts: [PiecePart]
  private let receive: (@Sendable (DropProgress) -> Void)?

  init(_ renderer: PieceRenderer, receive: (@Sendable (DropProgress) -> Void)?) {
    var parts: [PiecePart] = [.mixStem]
    switch renderer.preview {
    case .mixStem: break
    case .rendered, .personalised: parts.append(.preview)
    }
    if renderer.coverImage != nil { parts.append(.coverImage) }
    if renderer.attachment != nil { parts.append(.attachment) }
    self.parts = parts
    self.receive = receive
  }

  /// Reports that a fraction of a part is complete. `partFraction` is 0…1.
  func report(_ part: PiecePart, _ partFraction: Double) {
    guard let index = parts.firstIndex(of: part) else { return }
    let fraction = (Double(index) + min(1, max(0, partFraction))) / Double(parts.count + 1)
    receive?(DropProgress(part: part, fraction: fraction))
  }

  /// Reports that the piece is being published. If `isDone` is true, the piece has been published.
  func reportPublishing(isDone: Bool) {
    let fraction = isDone ? 1 : Double(parts.count) / Double(parts.count + 1)
    receive?(DropProgress(part: nil, fraction: fraction))
  }
}
