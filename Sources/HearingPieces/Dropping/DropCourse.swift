/// The parts that a drop goes through, and who is told of it.
struct DropCourse: Sendable {
  private let parts: [PiecePart]
  private let report: (@Sendable (DropProgress) -> Void)?

  init(_ renderer: PieceRenderer, report: (@Sendable (DropProgress) -> Void)?) {
    var parts: [PiecePart] = [.mixStem]
    switch renderer.preview {
    case .mixStem: break
    case .rendered, .personalised: parts.append(.preview)
    }
    if renderer.coverImage != nil { parts.append(.coverImage) }
    if renderer.attachment != nil { parts.append(.attachment) }
    self.parts = parts
    self.report = report
  }

  /// So much of a part is done, 0…1.
  func reach(_ part: PiecePart, _ share: Double) {
    guard let index = parts.firstIndex(of: part) else { return }
    let fraction = (Double(index) + min(1, max(0, share))) / Double(parts.count + 1)
    report?(DropProgress(part: part, fraction: fraction))
  }

  /// The parts are there and are put into their place, or have been.
  func reachPlace(isDone: Bool) {
    let fraction = isDone ? 1 : Double(parts.count) / Double(parts.count + 1)
    report?(DropProgress(part: nil, fraction: fraction))
  }
}
