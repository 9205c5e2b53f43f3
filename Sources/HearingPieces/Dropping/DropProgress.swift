/// Reports the progress of a drop.
struct DropProgress: Sendable {
  /// The part that is currently rendered, copied and checked, or nil while the piece is being
  /// published; and the completed fraction of the drop, 0…1.
  typealias Receiver = @Sendable (_ part: PiecePart?, _ fraction: Double) -> Void

  private let parts: [PiecePart]
  private let receive: Receiver?

  init(_ renderer: PieceRenderer, receive: Receiver?) {
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
    receive?(part, fraction)
  }

  /// Reports that the piece is being published, or has been published if `isDone`.
  func reportPublishing(isDone: Bool) {
    let fraction = isDone ? 1 : Double(parts.count) / Double(parts.count + 1)
    receive?(nil, fraction)
  }
}
