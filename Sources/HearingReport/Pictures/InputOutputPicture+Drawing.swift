import HearingFitting

extension InputOutputPicture {
  /// The vertical distance between two rows of panels.
  private static let rowGap = 66.0

  /// The arrangement of the square panels, and the distance between two numbers in dB.
  private struct Grid {
    let columns: Int
    let side: Double
    let columnWidth: Double
    let levelStep: Double
    let left: Double

    init(_ layout: PictureLayout) {
      (columns, side, columnWidth, levelStep, left) =
        layout.isNarrow ? (2, 126, 164, 40, layout.panelLeft) : (3, 200, 250, 20, 82)
    }
  }

  /// Draws everything below the title and returns the height of the picture.
  func draw(on canvas: inout Canvas) -> Double {
    let grid = Grid(canvas.layout)
    var bottom = 0.0
    for (index, frequency) in frequencies.enumerated() {
      let panel = panel(index, of: grid)
      bottom = max(bottom, panel.frame.bottom)
      draw(frequency, in: panel, on: &canvas)
      if index % grid.columns == 0 {
        canvas.verticalTitle("Output (dB SPL)", beside: panel.frame)
      }
      if index + grid.columns >= frequencies.count {
        canvas.horizontalTitle("Input (dB SPL)", below: panel.frame)
      }
    }
    let left = canvas.layout.isNarrow ? canvas.layout.legendLeft : grid.left
    return canvas.finish(with: legend, below: bottom + 54, left: left)
  }

  private func panel(_ index: Int, of grid: Grid) -> PlotPanel {
    let frame = Frame(
      left: grid.left + Double(index % grid.columns) * grid.columnWidth,
      top: 72 + Double(index / grid.columns) * (grid.side + Self.rowGap), width: grid.side,
      height: grid.side)
    let levels = PlottedValues.levels
    let ticks = PlotPanel.Tick.numbered(levels, by: grid.levelStep)
    return PlotPanel(
      frame: frame, horizontal: Scale(levels, from: frame.left, to: frame.right),
      vertical: Scale(levels, from: frame.bottom, to: frame.top),
      horizontalTicks: ticks, verticalTicks: ticks)
  }

  private func draw(_ frequency: Double, in panel: PlotPanel, on canvas: inout Canvas) {
    let levels = PlottedValues.levels
    canvas.text(
      "\(frequency.readable()) Hz",
      at: Point(x: panel.frame.left, y: panel.frame.top - 9), size: PictureStyle.headingSize,
      class: "hp-title")
    panel.draw(on: &canvas)
    canvas.line(
      from: panel.point(levels.lowerBound, levels.lowerBound),
      to: panel.point(levels.upperBound, levels.upperBound), class: "hp-unity")
    for limit in limits {
      canvas.line(
        from: panel.point(levels.lowerBound, limit), to: panel.point(levels.upperBound, limit),
        class: "hp-limit")
    }
    for ear in Ear.clinicalOrder {
      guard let gains = preset[ear] else { continue }
      let inputs = gains.outputKinks(at: frequency, within: levels)
      canvas.polyline(
        inputs.map { panel.point($0, gains.output(at: frequency, inputLevel: $0)) },
        class: "hp-curve " + ear.lineStyle)
      for input in PlottedValues.inputLevels {
        let output = gains.output(at: frequency, inputLevel: input)
        canvas.symbols(
          [Self.marker(of: ear)], at: panel.point(input, output), class: "hp-point " + ear.style,
          title: "\(ear.title), \(frequency.readable()) Hz: \(input.readable()) dB SPL in, "
            + "\(output.readable()) dB SPL out")
      }
    }
  }

  /// The maximum outputs of both ears.
  private var limits: [Double] {
    Set(Ear.allCases.compactMap { preset[$0]?.maximumOutput }).sorted()
  }

  private static func marker(of ear: Ear) -> MarkupElement {
    ear == .left ? .smallCross : .ring
  }

  private var legend: [[Legend.Entry]] {
    let ears = Ear.clinicalOrder.map { ear in
      guard preset[ear] != nil else {
        return Legend.Entry("\(ear.title): not measured")
      }
      return Legend.Entry(
        ear.title, style: ear.style,
        sample: [Legend.line(class: "hp-curve " + ear.lineStyle), Self.marker(of: ear)])
    }
    let unity = Legend.Entry(
      "Output as loud as input", style: "hp-any", sample: [Legend.line(class: "hp-unity")])
    let limit = limits.map { $0.readable() }.joined(separator: " and ")
    let maximum = Legend.Entry(
      "Maximum (\(limit) dB SPL)", style: "", sample: [Legend.line(class: "hp-limit")])
    return [ears, limits.isEmpty ? [unity] : [unity, maximum]]
  }
}
