/// A rectangle with two axes: its grid, its frame, its numbers, and where values lie in it.
struct PlotPanel: Sendable {
  /// The edge that the numbers of the horizontal axis stand at.
  enum Edge: Sendable {
    case top
    case bottom
  }

  /// A line across the panel, with its number unless the text is nil. The numbers of fine lines
  /// stand in a row of their own, beyond the others.
  struct Tick: Sendable {
    let value: Double
    let text: String?
    var isFine = false
  }

  let frame: Frame
  let horizontal: Scale
  let vertical: Scale
  let horizontalTicks: [Tick]
  let verticalTicks: [Tick]
  var numberEdge = Edge.bottom

  /// The room that a row of numbers of the horizontal axis takes beyond the frame.
  static let numberRoom = 22.0
  /// From one row of numbers to the next.
  static let numberRow = 16.0

  func place(_ x: Double, _ y: Double) -> Place {
    Place(x: horizontal.position(of: x), y: vertical.position(of: y))
  }

  /// Draws the grid, the frame and the numbers.
  func draw(on canvas: inout Canvas) {
    for tick in horizontalTicks {
      let x = horizontal.position(of: tick.value)
      canvas.line(
        from: Place(x: x, y: frame.top), to: Place(x: x, y: frame.bottom),
        class: tick.isFine ? "hp-grid-fine" : "hp-grid")
      guard let text = tick.text else { continue }
      let y =
        switch numberEdge {
        case .top: frame.top - 8 - (tick.isFine ? Self.numberRow : 0)
        case .bottom: frame.bottom + 18 + (tick.isFine ? Self.numberRow : 0)
        }
      canvas.text(text, at: Place(x: x, y: y), anchor: .middle, class: "hp-quiet")
    }
    for tick in verticalTicks {
      let y = vertical.position(of: tick.value)
      canvas.line(
        from: Place(x: frame.left, y: y), to: Place(x: frame.right, y: y),
        class: tick.isFine ? "hp-grid-fine" : "hp-grid")
      guard let text = tick.text else { continue }
      canvas.text(
        text, at: Place(x: frame.left - 8, y: y + 0.35 * PictureStyle.textSize), anchor: .end,
        class: "hp-quiet")
    }
    canvas.rectangle(frame, class: "hp-frame")
  }

  /// A sentence in the middle of an empty panel.
  func note(_ text: String, on canvas: inout Canvas) {
    canvas.text(text, at: frame.center, anchor: .middle, class: "hp-quiet")
  }
}
