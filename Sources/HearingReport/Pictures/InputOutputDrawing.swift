import HearingFitting

/// Draws the parts of an ``InputOutputPicture``.
struct InputOutputDrawing {
  /// The vertical distance between two rows of panels.
  private static let rowGap = 66.0

  let preset: Preset
  let frequencies: [Double]
  private let layout: PictureLayout
  private let columns: Int
  private let side: Double
  private let columnWidth: Double
  private let origin: Point
  private let levelStep: Double

  init(_ preset: Preset, frequencies: [Double], layout: PictureLayout) {
    self.preset = preset
    self.frequencies = frequencies
    self.layout = layout
    (columns, side, columnWidth, levelStep) =
      layout.isNarrow ? (2, 126, 164, 40) : (3, 200, 250, 20)
    origin = Point(x: layout.isNarrow ? layout.panelLeft : 82, y: 72)
  }

  /// Draws everything below the title and returns the height of the picture.
  func draw(on canvas: inout Canvas) -> Double {
    var bottom = 0.0
    for (index, frequency) in frequencies.enumerated() {
      let panel = panel(index)
      bottom = max(bottom, panel.frame.bottom)
      draw(frequency, in: panel, on: &canvas)
      if index % columns == 0 {
        canvas.verticalTitle("Output (dB SPL)", beside: panel.frame)
      }
      if index + columns >= frequencies.count {
        canvas.horizontalTitle("Input (dB SPL)", below: panel.frame)
      }
    }
    let legend = legend
    legend.draw(
      on: &canvas, at: Point(x: layout.isNarrow ? layout.legendLeft : origin.x, y: bottom + 54))
    return bottom + 54 + legend.height + 12
  }

  private func panel(_ index: Int) -> PlotPanel {
    let frame = Frame(
      left: origin.x + Double(index % columns) * columnWidth,
      top: origin.y + Double(index / columns) * (side + Self.rowGap), width: side, height: side)
    let levels = PlottedValues.levels
    let ticks = PlotPanel.Tick.numbered(levels, by: levelStep)
    return PlotPanel(
      frame: frame, horizontal: Scale(.linear, levels, from: frame.left, to: frame.right),
      vertical: Scale(.linear, levels, from: frame.bottom, to: frame.top),
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
    for limit in Set(Ear.allCases.compactMap { preset[$0]?.maximumOutput }).sorted() {
      canvas.line(
        from: panel.point(levels.lowerBound, limit), to: panel.point(levels.upperBound, limit),
        class: "hp-limit")
    }
    for ear in Ear.clinicalOrder {
      guard let gains = preset[ear] else { continue }
      let inputs = gains.outputKinks(at: frequency, within: levels)
      canvas.polyline(
        inputs.map { panel.point($0, gains.output(at: frequency, inputLevel: $0)) },
        class: Self.curveClass(of: ear))
      for input in PlottedValues.inputLevels {
        let output = gains.output(at: frequency, inputLevel: input)
        canvas.symbols(
          [Self.marker(of: ear).element], at: panel.point(input, output),
          class: "hp-point " + PictureStyle.style(of: ear),
          title: "\(ear.title), \(frequency.readable()) Hz: \(input.readable()) dB SPL in, "
            + "\(output.readable()) dB SPL out")
      }
    }
  }

  private var legend: Legend {
    let ears = Ear.clinicalOrder.map { ear in
      guard preset[ear] != nil else {
        return Legend.Entry("\(ear.title): not measured")
      }
      return Legend.Entry(
        ear.title, style: PictureStyle.style(of: ear),
        sample: [Legend.line(class: Self.curveClass(of: ear)), Self.marker(of: ear).element])
    }
    let unity = Legend.Entry(
      "Output as loud as input", style: "hp-any", sample: [Legend.line(class: "hp-unity")])
    let limits = Set(Ear.allCases.compactMap { preset[$0]?.maximumOutput }).sorted()
    let limit = limits.map { $0.readable() }.joined(separator: " and ")
    let limitEntry =
      limits.isEmpty
      ? []
      : [
        Legend.Entry(
          "Maximum (\(limit) dB SPL)", style: "",
          sample: [Legend.line(class: "hp-limit")])
      ]
    return Legend(
      [ears, [unity] + limitEntry], width: layout.legendWidth)
  }

  private static func curveClass(of ear: Ear) -> String {
    switch ear {
    case .left: "hp-curve hp-left hp-dash-left"
    case .right: "hp-curve hp-right"
    }
  }

  private static func marker(of ear: Ear) -> Marker {
    switch ear {
    case .left: .smallCross
    case .right: .ring
    }
  }
}
