/// Reports the progress of a drop operation, which adds a piece to a library.
struct DropProgress: Sendable {
  /// Receives the progress. `part` is the part of the piece that is being rendered, copied or
  /// checked. While the library makes the whole piece visible, `part` is nil. `fraction` is the
  /// completed fraction of the drop operation, 0…1.
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

  /// Reports that the fraction `partFraction` of the work for a part is complete, 0…1.
  func report(_ part: PiecePart, _ partFraction: Double) {
    guard let index = parts.firstIndex(of: part) else { return }
    let fraction = (Double(index) + min(1, max(0, partFraction))) / Double(parts.count + 1)
    receive?(part, fraction)
  }

  /// Reports that the library begins to make the piece visible. If `isDone` is true, the function
  /// reports that the piece is visible.
  func reportPublishing(isDone: Bool) {
    let fraction = isDone ? 1 : Double(parts.count) / Double(parts.count + 1)
    receive?(nil, fraction)
  }
}
