public import HearingFitting

/// A picture of the output level as a function of the input level. The picture has one panel for
/// the band around each of the ``frequencies``. Each panel shows a curve for each ear.
///
///     let picture = InputOutputPicture(preset)
///     InputOutputPicture(preset, frequencies: [500, 1000, 2000, 4000])
///
/// All levels are levels in the band, from 0 to 120 dB SPL. The output is the input level plus the
/// preset's insertion gain, limited to the maximum output of the band. On the dashed diagonal line,
/// the output level equals the input level. Where a curve is less steep than the diagonal line,
/// louder sounds get less gain than softer sounds.
///
/// The right ear has a red solid line with circles at the input levels 50, 65 and 80 dB SPL. The
/// left ear has a blue dashed line with crosses at 50, 65 and 80 dB SPL. An ear without a preset
/// has no curve. The legend lists the ear as not measured.
///
/// The picture does not show the attack and release times. The picture does not show the output for
/// sounds that extend over several bands.
public struct InputOutputPicture: Sendable, Equatable {
  /// The preset. The picture shows the gains without the fine tuning of the preset. To show the
  /// gains with the fine tuning, pass `preset.fineTuned`.
  public var preset: Preset
  /// The frequencies of the panels in Hz. There are one to twelve frequencies, all above 0.
  public let frequencies: [Double]
  /// The title of the picture. A title that is longer than one line is cut off.
  public var title: String

  /// The default frequencies in Hz.
  public static let usualFrequencies: [Double] = [250, 500, 1000, 2000, 4000, 8000]

  /// Creates a picture of a preset at one to twelve frequencies, each above 0 Hz.
  public init(
    _ preset: Preset, frequencies: [Double] = usualFrequencies,
    title: String = "Output over input"
  ) {
    precondition((1...12).contains(frequencies.count), "\(frequencies.count) panels")
    precondition(
      frequencies.allSatisfy { $0 > 0 && $0.isFinite }, "frequencies of \(frequencies) Hz")
    self.preset = preset
    self.frequencies = frequencies
    self.title = title
  }

  /// The picture.
  public var svg: SVGPicture { SVGPicture(title: title, summary: summary, draw: draw) }

  private var summary: String {
    Ear.sentences { ear in
      guard let gains = preset[ear] else { return "\(ear.title): not measured." }
      let bands = frequencies.map { frequency in
        let outputs = PlottedValues.inputLevels.map {
          ($0 + gains.toneGain(at: frequency, inputLevel: $0)).readable()
        }
        return "\(frequency.readable()) Hz \(outputs.joined(separator: ", ")), at most "
          + gains.largestOutput(at: frequency, in: .freeField).readable()
      }
      return "\(ear.title), output in dB SPL for inputs of 50, 65 and 80 dB SPL: "
        + "\(bands.joined(separator: "; "))."
    }
  }

  /// Draws everything below the title and returns the height of the picture.
  private func draw(on canvas: inout Canvas) -> Double {
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
        frame: frame, horizontal: Scale(values: levels, start: frame.left, end: frame.right),
        vertical: Scale(values: levels, start: frame.bottom, end: frame.top),
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
    canvas.heading("\(frequency.readable()) Hz", above: panel.frame, gap: 9)
    panel.draw(on: &canvas)
    canvas.line(
      from: panel.point(levels.lowerBound, levels.lowerBound),
      to: panel.point(levels.upperBound, levels.upperBound), class: "hp-unity")
    for limit in limits(at: [frequency]) {
      canvas.line(
        from: panel.point(levels.lowerBound, limit), to: panel.point(levels.upperBound, limit),
        class: "hp-limit")
    }
    for ear in Ear.clinicalOrder {
      guard let gains = preset[ear] else { continue }
      let inputs = gains.outputKinks(at: frequency, within: levels)
      canvas.polyline(
        inputs.map { panel.point($0, $0 + gains.toneGain(at: frequency, inputLevel: $0)) },
        class: "hp-curve " + ear.lineStyle)
      for input in PlottedValues.inputLevels {
        let output = input + gains.toneGain(at: frequency, inputLevel: input)
        canvas.symbols(
          [ear.marker], at: panel.point(input, output), class: "hp-point " + ear.style,
          title: "\(ear.title), \(frequency.readable()) Hz: \(input.readable()) dB SPL in, "
            + "\(output.readable()) dB SPL out")
      }
    }
  }

  /// The maximum outputs of both ears in the bands around `frequencies`, in dB SPL and in ascending
  /// order.
  private func limits(at frequencies: [Double]) -> [Double] {
    let gains = Ear.allCases.compactMap { preset[$0] }
    return Set(
      gains.flatMap { gains in frequencies.map { gains.largestOutput(at: $0, in: .freeField) } }
    ).sorted()
  }

  private var legend: [[Legend.Entry]] {
    let ears = Ear.clinicalOrder.map { ear in
      guard preset[ear] != nil else { return Legend.Entry(text: "\(ear.title): not measured") }
      return Legend.Entry(
        text: ear.title, style: ear.style,
        sample: [Legend.line(class: "hp-curve " + ear.lineStyle), ear.marker])
    }
    let unity = Legend.Entry(
      text: "Output as loud as input", sample: [Legend.line(class: "hp-unity")])
    let limits = limits(at: frequencies).map { $0.readable() }
    let limit =
      limits.count > 2
      ? "\(limits[0]) to \(limits[limits.count - 1])" : limits.joined(separator: " and ")
    let maximum = Legend.Entry(
      text: "Maximum (\(limit) dB SPL)", style: "", sample: [Legend.line(class: "hp-limit")])
    return [ears, limits.isEmpty ? [unity] : [unity, maximum]]
  }
}
