/// Reports the progress of dropping a piece into a library.
struct DropProgress: Sendable {
  /// Receives the part of the piece that is being rendered, copied or checked, and the completed
  /// fraction of the drop operation, 0…1. While the whole piece is being published, `part` is nil.
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

  /// Reports the completed fraction of a part. `partFraction` is 0…1.
  func report(_ part: PiecePart, _ partFraction: Double) {
    guard let index = parts.firstIndex(of: part) else { return }
    let fraction = (Double(index) + min(1, max(0, partFraction))) / Double(parts.count + 1)
    receive?(part, fraction)
  }

  /// Reports the beginning of the publication of the piece. If `isDone` is true, reports the end of
  /// the publication.
  func reportPublishing(isDone: Bool) {
    let fraction = isDone ? 1 : Double(parts.count) / Double(parts.count + 1)
    receive?(nil, fraction)
  }
}
