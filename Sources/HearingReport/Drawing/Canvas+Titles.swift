extension Canvas {
  /// The heading of a whole picture, on one line at its top.
  mutating func pictureTitle(_ title: String) {
    let room = PictureStyle.width - 40
    text(
      TextExtent.fittingBold(title, into: room, size: PictureStyle.titleSize),
      at: Place(x: 20, y: 30), size: PictureStyle.titleSize, class: "hp-title")
  }

  /// The name of a vertical axis, to be read from below, beside `frame`.
  mutating func verticalTitle(_ title: String, beside frame: Frame) {
    text(
      title, at: Place(x: frame.left - 50, y: frame.center.y), anchor: .middle, isRotated: true)
  }

  /// The name of a horizontal axis whose numbers are below `frame`.
  mutating func horizontalTitle(_ title: String, below frame: Frame) {
    text(
      title, at: Place(x: frame.center.x, y: frame.bottom + PlotPanel.numberRoom + 20),
      anchor: .middle)
  }
}
