import Foundation

/// Draws the parts of a ``SpectrogramPicture``.
struct SpectrogramDrawing {
  /// Each colour stands for a range of levels with this width in dB.
  static let step = 5.0
  /// The number of colours.
  static let stepCount = 12

  private static let top = 72.0
  private static let height = 210.0
  private static let rowHeight = 300.0
  private static let rightMargin = (wide: 34.0, narrow: 12.0)
  private static let keyHeight = 14.0

  private let picture: SpectrogramPicture
  private let layout: PictureLayout
  /// The maximum level in dB, rounded up to a multiple of `step`. Nil if there is only silence.
  private let maximumLevel: Double?

  init(_ picture: SpectrogramPicture, layout: PictureLayout) {
    self.picture = picture
    self.layout = layout
    let heard = (picture.before + picture.after).joined().filter { abs($0) < 1_000 }
    maximumLevel = heard.max().map { ($0 / Self.step).rounded(.up) * Self.step }
  }

  /// Draws everything below the title and returns the height of the picture.
  func draw(on canvas: inout Canvas) -> Double {
    var bottom = 0.0
    for (index, (name, columns)) in [("Before", picture.before), ("After", picture.after)]
      .enumerated()
    {
      let panel = panel(index)
      bottom = panel.frame.bottom
      canvas.heading(layout.isNarrow ? "\(name): frequency (Hz)" : name, above: panel.frame)
      draw(columns, in: panel, on: &canvas)
      let muted = index == 0 ? [] : picture.muted
      for span in muted { draw(muted: span, in: panel, on: &canvas) }
      panel.draw(on: &canvas)
      if muted.isEmpty && !columns.joined().contains(where: { tone(of: $0) != nil }) {
        panel.note("Silent", on: &canvas)
      }
      // In the narrow layout, numbers of four digits leave no space for this title.
      if !layout.isNarrow { canvas.verticalTitle("Frequency (Hz)", beside: panel.frame) }
      canvas.horizontalTitle("Time (s)", below: panel.frame)
    }
    return drawKey(below: bottom + 62, on: &canvas)
  }

  /// The index of the colour for a level. The lowest levels have the index 0. Nil for levels below
  /// the range.
  private func tone(of level: Double) -> Int? {
    guard let maximumLevel, level.isFinite else { return nil }
    let tone = Self.stepCount - 1 - Int(((maximumLevel - level) / Self.step).rounded(.down))
    return tone >= 0 ? min(tone, Self.stepCount - 1) : nil
  }

  /// Draws one path for each colour. Each path consists of rectangles. Neighbouring columns with
  /// the same colour form one rectangle.
  private func draw(_ columns: [[Double]], in panel: PlotPanel, on canvas: inout Canvas) {
    var paths = [String](repeating: "", count: Self.stepCount)
    for band in 0..<picture.edges.count - 1 {
      let high = panel.vertical.position(of: picture.edges[band + 1]).coordinate(places: 1)
      let low = panel.vertical.position(of: picture.edges[band]).coordinate(places: 1)
      var start = 0
      while start < columns.count {
        let tone = tone(of: columns[start][band])
        var end = start + 1
        while end < columns.count, self.tone(of: columns[end][band]) == tone { end += 1 }
        if let tone {
          let left = panel.horizontal.position(of: Double(start) * picture.secondsPerColumn)
          let right = panel.horizontal.position(of: Double(end) * picture.secondsPerColumn)
          paths[tone] +=
            "M\(left.coordinate(places: 1)) \(low)V\(high)H\(right.coordinate(places: 1))V\(low)z"
        }
        start = end
      }
    }
    for (tone, path) in paths.enumerated() where !path.isEmpty {
      canvas.add(
        MarkupElement(
          "path", ["d": path, "class": "hp-tone-\(tone)", "shape-rendering": "crispEdges"]))
    }
  }

  /// Draws a cover over a time span in which the audio was muted.
  private func draw(muted span: Range<Double>, in panel: PlotPanel, on canvas: inout Canvas) {
    let left = panel.horizontal.position(of: span.lowerBound)
    let right = min(panel.horizontal.position(of: span.upperBound), panel.frame.right)
    guard right > left else { return }
    let frame = Frame(
      left: left, top: panel.frame.top, width: right - left, height: panel.frame.height)
    canvas.rectangle(frame, class: "hp-band-6")
    if TextExtent.width(of: "Muted", size: PictureStyle.textSize) < frame.width {
      canvas.text("Muted", at: frame.center, anchor: .middle, class: "hp-quiet")
    }
  }

  private func panel(_ index: Int) -> PlotPanel {
    let right = layout.isNarrow ? Self.rightMargin.narrow : Self.rightMargin.wide
    let frame = Frame(
      left: layout.panelLeft, top: Self.top + Double(index) * Self.rowHeight,
      width: layout.width - layout.panelLeft - right, height: Self.height)
    let seconds =
      Double(max(1, picture.before.count, picture.after.count)) * picture.secondsPerColumn
    let (bottom, top) = (picture.edges[0], picture.edges[picture.edges.count - 1])
    return PlotPanel(
      frame: frame,
      horizontal: Scale(.linear, 0...seconds, from: frame.left, to: frame.right),
      vertical: Scale(.logarithmic, bottom...top, from: frame.bottom, to: frame.top),
      horizontalTicks: PlotPanel.timeTicks(seconds, layout),
      verticalTicks: [31.25, 62.5, 125, 250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000]
        .filter { $0 >= bottom && $0 <= top }
        .map { PlotPanel.Tick(value: $0, text: $0.readable()) })
  }

  /// Draws the colours with their levels, and returns the y coordinate of the lower edge of the
  /// picture.
  private func drawKey(below top: Double, on canvas: inout Canvas) -> Double {
    guard let maximumLevel else { return top }
    canvas.text("Level (dB)", at: Point(x: layout.legendLeft, y: top))
    let right = layout.isNarrow ? Self.rightMargin.narrow : Self.rightMargin.wide
    let width = (layout.width - layout.legendLeft - right) / Double(Self.stepCount)
    for tone in 0..<Self.stepCount {
      let left = layout.legendLeft + Double(tone) * width
      canvas.rectangle(
        Frame(left: left, top: top + 8, width: width, height: Self.keyHeight),
        class: "hp-tone-\(tone)")
      guard tone.isMultiple(of: 3) else { continue }
      let lower = maximumLevel - Self.step * Double(Self.stepCount - tone)
      canvas.text(
        lower.readable(), at: Point(x: left, y: top + 8 + Self.keyHeight + 17), class: "hp-quiet")
    }
    return top + 8 + Self.keyHeight + 17 + 14
  }
}
