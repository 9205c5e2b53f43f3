/// The progress of a drop.
public struct DropProgress: Sendable, Equatable {
  /// The part that is currently rendered, copied and checked. Nil while the piece is being
  /// published.
  public let part: PiecePart?

  /// The completed fraction of the drop, 0…1. All parts have equal weight. The fraction is 1 when
  /// the piece is in the library.
  public let fraction: Double
}

/// Reports the progress of a drop.
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

  /// Reports that the fraction `partFraction`, 0…1, of a part is complete.
  func report(_ part: PiecePart, _ partFraction: Double) {
    guard let index = parts.firstIndex(of: part) else { return }
    let fraction = (Double(index) + min(1, max(0, partFraction))) / Double(parts.count + 1)
    receive?(DropProgress(part: part, fraction: fraction))
  }

  /// Reports that the piece is being published, or has been published if `isDone`.
  func reportPublishing(isDone: Bool) {
    let fraction = isDone ? 1 : Double(parts.count) / Double(parts.count + 1)
    receive?(DropProgress(part: nil, fraction: fraction))
  }
}
