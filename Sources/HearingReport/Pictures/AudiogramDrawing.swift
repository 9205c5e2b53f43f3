import HearingFitting

/// Draws the parts of an ``AudiogramPicture``.
struct AudiogramDrawing {
  private static let levels: ClosedRange<Double> = -10...120
  /// The margins in dB above and below the levels, which leave space for symbols and arrows.
  private static let levelMargin = (top: 3.0, bottom: 6.0)
  private static let levelStep = 10.0

  let profile: HearingProfile
  let estimatedEars: Set<Ear>
  private let layout: PictureLayout
  /// The right edge of the background bands for the grades. In the wide layout, the bands continue
  /// beside the panel and contain the names of the grades.
  private let gradesRight: Double
  private let panel: PlotPanel

  init(_ profile: HearingProfile, estimatedEars: Set<Ear>, layout: PictureLayout) {
    self.layout = layout
    self.profile = profile
    self.estimatedEars = estimatedEars
    let axis = FrequencyAxis(
      showing: Ear.allCases.flatMap { profile[$0]?.points.map(\.frequency) ?? [] })
    // The standard aspect ratio of an audiogram: one octave is as long as 20 dB. The ratio is exact
    // if the axis ends at 8 kHz.
    var frame = Frame(
      left: layout.panelLeft, top: 104, width: layout.isNarrow ? 294 : 572, height: 0)
    gradesRight = layout.isNarrow ? frame.right : layout.width - 10
    let clinical = FrequencyAxis().scale(over: frame)
    let octaveWidth = clinical.position(of: 2000) - clinical.position(of: 1000)
    let shown =
      Self.levels.lowerBound - Self.levelMargin.top...Self.levels.upperBound
      + Self.levelMargin.bottom
    frame.height = (shown.upperBound - shown.lowerBound) * octaveWidth / 20
    let horizontal = axis.scale(over: frame)
    panel = PlotPanel(
      frame: frame, horizontal: horizontal,
      vertical: Scale(.linear, shown, from: frame.top, to: frame.bottom),
      horizontalTicks: axis.ticks(numbersBetweenOctaves: true, over: frame),
      verticalTicks: PlotPanel.Tick.numbered(Self.levels, by: Self.levelStep),
      numberEdge: .top)
  }

  /// Draws everything below the title and returns the height of the picture.
  func draw(on canvas: inout Canvas) -> Double {
    drawGrades(on: &canvas)
    panel.draw(on: &canvas)
    canvas.text(
      "Frequency (Hz)", at: Point(x: panel.frame.center.x, y: panel.frame.top - 44),
      anchor: .middle)
    canvas.verticalTitle("Hearing level (dB HL)", beside: panel.frame)
    for ear in Ear.clinicalOrder { drawLines(of: ear, on: &canvas) }
    for ear in Ear.clinicalOrder { drawPoints(of: ear, on: &canvas) }
    return canvas.finish(with: legend, below: panel.frame.bottom + 14)
  }

  private func drawGrades(on canvas: inout Canvas) {
    let shown = panel.vertical.values
    let grades = HearingGrade.allCases
    let right = panel.frame.right
    if !layout.isNarrow {
      canvas.text(
        "Grade (WHO 2021)", at: Point(x: right + 10, y: panel.frame.top - 8), class: "hp-quiet")
    }
    for (index, grade) in grades.enumerated() {
      let next = index + 1 < grades.count ? grades[index + 1].minimumAverage : shown.upperBound
      let top = panel.vertical.position(of: max(grade.minimumAverage, shown.lowerBound))
      let bottom = panel.vertical.position(of: next)
      canvas.rectangle(
        Frame(
          left: panel.frame.left, top: top, width: gradesRight - panel.frame.left,
          height: bottom - top),
        class: "hp-band-\(index)")
      if layout.isNarrow { continue }
      canvas.text(
        grade.title,
        at: Point(x: right + 10, y: (top + bottom) / 2 + 0.35 * PictureStyle.textSize),
        class: "hp-quiet")
    }
  }

  private func drawLines(of ear: Ear, on canvas: inout Canvas) {
    guard let points = profile[ear]?.points else { return }
    for run in points.split(whereSeparator: \.isNoResponse) {
      canvas.polyline(
        run.map { panel.point($0.frequency, $0.threshold) }, class: Self.lineClass(of: ear))
    }
  }

  private func drawPoints(of ear: Ear, on canvas: inout Canvas) {
    for point in profile[ear]?.points ?? [] {
      var symbols = [Self.marker(of: ear, isMasked: point.isMasked).element]
      if point.isNoResponse { symbols.append(Self.arrow(of: ear)) }
      let title =
        "\(ear.title), \(point.frequency.readable()) Hz: \(point.threshold.readable()) dB HL"
        + (point.isMasked ? ", masked" : "") + (point.isNoResponse ? ", no response" : "")
      canvas.symbols(
        symbols, at: panel.point(point.frequency, point.threshold),
        class: "hp-point " + PictureStyle.style(of: ear), title: title)
    }
  }

  private var legend: Legend {
    let ears = Ear.clinicalOrder.map { ear in
      guard profile[ear] != nil else {
        return Legend.Entry("\(ear.title): not measured")
      }
      return Legend.Entry(
        ear.title + (estimatedEars.contains(ear) ? ", estimated" : ""),
        style: PictureStyle.style(of: ear),
        sample: [
          Legend.line(class: Self.lineClass(of: ear)),
          Self.marker(of: ear, isMasked: false).element,
        ])
    }
    let masked = Ear.clinicalOrder.filter { contains(\.isMasked, in: $0) }.map { ear in
      Legend.Entry(
        "\(ear.title), masked", style: PictureStyle.style(of: ear),
        sample: [Self.marker(of: ear, isMasked: true).element])
    }
    let silent = Ear.clinicalOrder.filter { contains(\.isNoResponse, in: $0) }.map { ear in
      Legend.Entry(
        "\(ear.title), no response", style: PictureStyle.style(of: ear),
        sample: [Self.marker(of: ear, isMasked: false).element, Self.arrow(of: ear)])
    }
    return Legend([ears] + grades + [masked, silent], width: layout.legendWidth)
  }

  /// The names of the grades as legend entries, for the narrow layout.
  private var grades: [[Legend.Entry]] {
    guard layout.isNarrow else { return [] }
    let names = HearingGrade.allCases.map { $0.title.lowercased() }.joined(separator: ", ")
    return TextExtent.lines(
      of: "Bands, from the top: \(names) (WHO 2021)", width: layout.legendWidth,
      size: PictureStyle.textSize
    ).map { [Legend.Entry($0)] }
  }

  private func contains(_ flag: (Audiogram.Point) -> Bool, in ear: Ear) -> Bool {
    profile[ear]?.points.contains(where: flag) ?? false
  }

  private static func lineClass(of ear: Ear) -> String {
    switch ear {
    case .left: "hp-line hp-left hp-dash-left"
    case .right: "hp-line hp-right"
    }
  }

  private static func marker(of ear: Ear, isMasked: Bool) -> Marker {
    switch (ear, isMasked) {
    case (.right, false): .circle
    case (.right, true): .triangle
    case (.left, false): .cross
    case (.left, true): .square
    }
  }

  /// An arrow that points downwards and outwards. For the right ear, the arrow points to the left,
  /// as in clinical audiograms.
  private static func arrow(of ear: Ear) -> MarkupElement {
    let path =
      switch ear {
      case .right: "M-6 6L-16 16M-16 9V16H-9"
      case .left: "M6 6L16 16M16 9V16H9"
      }
    return MarkupElement("path", ["d": path, "class": "hp-symbol hp-arrow"])
  }
}
