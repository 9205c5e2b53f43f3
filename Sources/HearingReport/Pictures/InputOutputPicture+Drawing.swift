import HearingFitting

extension InputOutputPicture {
  /// Draws everything below the title and returns the height of the picture.
  func draw(on canvas: inout Canvas) -> Double {
    let layout = canvas.layout
    let columnCount = layout.isNarrow ? 2 : 3
    let columnWidth = layout.isNarrow ? 164.0 : 250
    let left = layout.isNarrow ? layout.panelLeft : 82
    let side = layout.isNarrow ? 126.0 : 200
    let levels = PlottedValues.levels
    let ticks = PlotPanel.Tick.numbered(levels, by: layout.isNarrow ? 40 : 20)
    var bottom = 0.0
    for (index, frequency) in frequencies.enumerated() {
      let (row, column) = index.quotientAndRemainder(dividingBy: columnCount)
      let frame = Frame(
        left: left + Double(column) * columnWidth, top: 72 + Double(row) * (side + 66),
        width: side, height: side)
      let panel = PlotPanel(
        frame: frame, horizontal: Scale(levels, from: frame.left, to: frame.right),
        vertical: Scale(levels, from: frame.bottom, to: frame.top),
        horizontalTicks: ticks, verticalTicks: ticks)
      draw(frequency, in: panel, on: &canvas)
      if column == 0 { canvas.verticalTitle("Output (dB SPL)", beside: frame) }
      if index + columnCount >= frequencies.count {
        canvas.horizontalTitle("Input (dB SPL)", below: frame)
      }
      bottom = frame.bottom
    }
    return canvas.finish(
      with: legend, below: bottom + 54, left: layout.isNarrow ? layout.legendLeft : left)
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
      guard preset[ear] != nil else { return Legend.Entry("\(ear.title): not measured") }
      return Legend.Entry(
        ear.title, style: ear.style,
        sample: [Legend.line(class: "hp-curve " + ear.lineStyle), Self.marker(of: ear)])
    }
    let unity = Legend.Entry("Output as loud as input", sample: [Legend.line(class: "hp-unity")])
    let limit = limits.map { $0.readable() }.joined(separator: " and ")
    let maximum = Legend.Entry(
      "Maximum (\(limit) dB SPL)", style: "", sample: [Legend.line(class: "hp-limit")])
    return [ears, limits.isEmpty ? [unity] : [unity, maximum]]
  }
}
