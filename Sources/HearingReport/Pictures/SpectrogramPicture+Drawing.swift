import Foundation

extension SpectrogramPicture {
  /// Each colour stands for a range of levels with this width in dB.
  static let step = 5.0
  /// The number of colours.
  static let stepCount = 12

  /// Draws everything below the title and returns the height of the picture.
  func draw(on canvas: inout Canvas) -> Double {
    let layout = canvas.layout
    // The maximum level in dB, rounded up to a multiple of `step`. Nil if there is only silence.
    let heard = (before + after).joined().filter { abs($0) < 1_000 }
    let maximum = heard.max().map { ($0 / Self.step).rounded(.up) * Self.step }
    var bottom = 0.0
    for (index, (name, columns)) in [("Before", before), ("After", after)].enumerated() {
      let tones = columns.map { $0.map { Self.tone(of: $0, maximum: maximum) } }
      let panel = panel(index, layout)
      bottom = panel.frame.bottom
      canvas.heading(layout.isNarrow ? "\(name): frequency (Hz)" : name, above: panel.frame)
      draw(tones, in: panel, on: &canvas)
      let muted = index == 0 ? [] : self.muted
      for span in muted { draw(muted: span, in: panel, on: &canvas) }
      panel.draw(on: &canvas)
      if muted.isEmpty && tones.joined().allSatisfy({ $0 == nil }) {
        canvas.note("Silent", in: panel.frame)
      }
      // In the narrow layout, numbers of four digits leave no space for this title.
      if !layout.isNarrow { canvas.verticalTitle("Frequency (Hz)", beside: panel.frame) }
      canvas.horizontalTitle("Time (s)", below: panel.frame)
    }
    return maximum.map { drawKey(below: bottom + 62, maximum: $0, on: &canvas) } ?? bottom + 62
  }

  /// The index of the colour for a level. The lowest levels have the index 0. Nil for levels below
  /// the range.
  private static func tone(of level: Double, maximum: Double?) -> Int? {
    guard let maximum, level.isFinite else { return nil }
    let tone = stepCount - 1 - Int(((maximum - level) / step).rounded(.down))
    return tone >= 0 ? min(tone, stepCount - 1) : nil
  }

  /// Draws one path for each colour. Each path consists of rectangles. Neighbouring columns with
  /// the same colour form one rectangle.
  private func draw(_ tones: [[Int?]], in panel: PlotPanel, on canvas: inout Canvas) {
    var paths = [String](repeating: "", count: Self.stepCount)
    let times = (0...tones.count).map { Double($0) * secondsPerColumn }
    let x = times.map { panel.horizontal.position(of: $0).coordinate(places: 1) }
    let y = edges.map { panel.vertical.position(of: $0).coordinate(places: 1) }
    for (band, (low, high)) in zip(y, y.dropFirst()).enumerated() {
      var start = 0
      while start < tones.count {
        let tone = tones[start][band]
        let end = tones[start...].firstIndex { $0[band] != tone } ?? tones.count
        if let tone { paths[tone] += "M\(x[start]) \(low)V\(high)H\(x[end])V\(low)z" }
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
    if TextExtent.width(of: "Muted") < frame.width {
      canvas.note("Muted", in: frame)
    }
  }

  private func panel(_ index: Int, _ layout: PictureLayout) -> PlotPanel {
    let frame = layout.wideFrame(index, height: 210, rowHeight: 300)
    let seconds = Double(max(1, before.count, after.count)) * secondsPerColumn
    let (bottom, top) = (edges[0], edges[edges.count - 1])
    return PlotPanel(
      frame: frame,
      horizontal: Scale(0...seconds, from: frame.left, to: frame.right),
      vertical: Scale(bottom...top, from: frame.bottom, to: frame.top, isLogarithmic: true),
      horizontalTicks: PlotPanel.timeTicks(seconds, layout),
      verticalTicks: PlotPanel.Tick.numbered(FrequencyAxis.octaves.filter((bottom...top).contains)))
  }

  /// Draws the colours with their levels, and returns the y coordinate of the lower edge of the
  /// picture.
  private func drawKey(below top: Double, maximum: Double, on canvas: inout Canvas) -> Double {
    let layout = canvas.layout
    canvas.text("Level (dB)", at: Point(x: layout.legendLeft, y: top))
    let width =
      (layout.width - layout.legendLeft - layout.rightMargin) / Double(Self.stepCount)
    for tone in 0..<Self.stepCount {
      let left = layout.legendLeft + Double(tone) * width
      let color = Frame(left: left, top: top + 8, width: width, height: 14)
      canvas.rectangle(color, class: "hp-tone-\(tone)")
      guard tone.isMultiple(of: 3) else { continue }
      let lower = maximum - Self.step * Double(Self.stepCount - tone)
      canvas.text(lower.readable(), at: Point(x: left, y: color.bottom + 17), class: "hp-quiet")
    }
    return top + 53
  }
}
