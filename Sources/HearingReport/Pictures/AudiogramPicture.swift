public import HearingFitting

/// A picture of an audiogram, in the form that clinics use.
///
///     let picture = AudiogramPicture(HearingProfile(left: .n2, right: .s1))
///     try picture.svg.data.write(to: url)
///
/// On the horizontal axis, frequency increases to the right on a logarithmic scale, from 125 Hz to
/// 8 kHz. If the audiogram has points below 125 Hz or above 8 kHz, the axis is longer. On the
/// vertical axis, hearing level increases downwards from -10 to 120 dB HL. On the page, one octave
/// is as long as 20 dB.
///
/// The right ear has red circles and a solid line. The left ear has blue crosses and a dashed line.
/// Masked points of the right ear are triangles, and masked points of the left ear are squares. If
/// the listener did not respond at a point, the symbol has an arrow, and no line joins the symbol
/// to other symbols. The background shows the grades of hearing loss of the World Health
/// Organization (2021). Symbols and lines follow ANSI S3.21 and ASHA's guidelines (1990).
///
/// An ear without an audiogram has no curve. The legend lists the ear as not measured.
///
/// The picture shows neither discomfort levels nor bone conduction. A profile contains no bone
/// conduction.
public struct AudiogramPicture: Sendable, Equatable {
  /// The hearing profile of the listener.
  public var profile: HearingProfile
  /// The ears with estimated thresholds. The legend marks these ears.
  public var estimatedEars: Set<Ear>
  /// The title of the picture. A title that is longer than one line is cut off.
  public var title: String

  /// Creates a picture of a profile.
  ///
  /// - Parameters:
  ///   - profile: The hearing profile of the listener.
  ///   - estimatedEars: The ears with estimated thresholds. If the value is nil, the method of the
  ///     profile determines the ears. For the method `.estimate`, both ears are estimated. For any
  ///     other method, no ear is estimated.
  ///   - title: The title of the picture.
  public init(
    _ profile: HearingProfile, estimatedEars: Set<Ear>? = nil, title: String = "Audiogram"
  ) {
    self.profile = profile
    self.estimatedEars = profile.estimatedEars(unless: estimatedEars)
    self.title = title
  }

  /// The picture.
  public var svg: SVGPicture { SVGPicture(title: title, summary: summary, draw: draw) }

  private var summary: String {
    Ear.sentences { ear in
      guard let audiogram = profile[ear] else { return "\(ear.title): not measured." }
      let points = audiogram.points.map { point in
        "\(point.frequency.readable()) Hz \(point.threshold.readable())"
          + (point.isMasked ? " masked" : "") + (point.isNoResponse ? " no response" : "")
      }
      let kind = estimatedEars.contains(ear) ? "estimated thresholds" : "thresholds"
      return "\(ear.title), \(kind) in dB HL: \(points.joined(separator: ", "))."
    }
  }

  private func panel(_ layout: PictureLayout) -> PlotPanel {
    let axis = FrequencyAxis(showing: profile.frequencies)
    // The levels from -10 to 120 dB HL, with margins for symbols and arrows.
    let shown = -13.0...126
    // In the standard aspect ratio of an audiogram, one octave is as long as 20 dB. The ratio is
    // exact if the axis covers 125 Hz to 8 kHz.
    var frame = Frame(
      left: layout.panelLeft, top: 104, width: layout.isNarrow ? 294 : 572, height: 0)
    let clinical = FrequencyAxis().scale(over: frame)
    let octaveWidth = clinical.position(of: 2000) - clinical.position(of: 1000)
    frame.height = (shown.upperBound - shown.lowerBound) * octaveWidth / 20
    return PlotPanel(
      frame: frame, horizontal: axis.scale(over: frame),
      vertical: Scale(values: shown, start: frame.top, end: frame.bottom),
      horizontalTicks: axis.ticks(numbersBetweenOctaves: true, over: frame),
      verticalTicks: PlotPanel.Tick.numbered(-10...120, by: 10),
      hasNumbersAbove: true)
  }

  /// Draws everything below the title and returns the height of the picture.
  private func draw(on canvas: inout Canvas) -> Double {
    let panel = panel(canvas.layout)
    drawGrades(in: panel, on: &canvas)
    panel.draw(on: &canvas)
    canvas.text(
      "Frequency (Hz)", at: Point(x: panel.frame.center.x, y: panel.frame.top - 44),
      anchor: .middle)
    canvas.verticalTitle("Hearing level (dB HL)", beside: panel.frame)
    for ear in Ear.clinicalOrder {
      for run in points(of: ear).split(whereSeparator: \.isNoResponse) {
        canvas.polyline(
          run.map { panel.point($0.frequency, $0.threshold) }, class: "hp-line " + ear.lineStyle)
      }
    }
    for ear in Ear.clinicalOrder { drawPoints(of: ear, in: panel, on: &canvas) }
    return canvas.finish(with: legend(canvas.layout), below: panel.frame.bottom + 14)
  }

  /// Draws the background bands for the grades. In the wide layout, the bands extend to the right
  /// of the panel. The names of the grades are to the right of the panel, on the bands.
  private func drawGrades(in panel: PlotPanel, on canvas: inout Canvas) {
    let (left, right) = (panel.frame.left, panel.frame.right)
    let isNarrow = canvas.layout.isNarrow
    let bandRight = isNarrow ? right : canvas.layout.width - 10
    if !isNarrow {
      canvas.text(
        "Grade (WHO 2021)", at: Point(x: right + 10, y: panel.frame.top - 8), class: "hp-quiet")
    }
    let shown = panel.vertical.values
    let grades = HearingGrade.allCases
    let limits = grades.map { max($0.minimumAverage, shown.lowerBound) } + [shown.upperBound]
    let edges = limits.map(panel.vertical.position)
    for (index, grade) in grades.enumerated() {
      let band = Frame(
        left: left, top: edges[index], width: bandRight - left,
        height: edges[index + 1] - edges[index])
      canvas.rectangle(band, class: "hp-band-\(index)")
      if isNarrow { continue }
      canvas.text(
        grade.title, at: Point(x: right + 10, y: band.center.y + PictureStyle.baseline),
        class: "hp-quiet")
    }
  }

  private func drawPoints(of ear: Ear, in panel: PlotPanel, on canvas: inout Canvas) {
    for point in points(of: ear) {
      let title =
        "\(ear.title), \(point.frequency.readable()) Hz: \(point.threshold.readable()) dB HL"
        + point.notes
      canvas.symbols(
        Self.symbols(of: ear, isMasked: point.isMasked, isNoResponse: point.isNoResponse),
        at: panel.point(point.frequency, point.threshold), class: "hp-point " + ear.style,
        title: title)
    }
  }

  private func points(of ear: Ear) -> [Audiogram.Point] { profile[ear]?.points ?? [] }

  private func legend(_ layout: PictureLayout) -> [[Legend.Entry]] {
    let ears = Ear.clinicalOrder.map { ear in
      guard profile[ear] != nil else { return Legend.Entry(text: "\(ear.title): not measured") }
      let line = Legend.line(class: "hp-line " + ear.lineStyle)
      return Legend.Entry(
        text: ear.title + (estimatedEars.contains(ear) ? ", estimated" : ""), style: ear.style,
        sample: [line] + Self.symbols(of: ear))
    }
    let masked = Ear.clinicalOrder.filter { points(of: $0).contains(where: \.isMasked) }.map {
      Legend.Entry(
        text: "\($0.title), masked", style: $0.style, sample: Self.symbols(of: $0, isMasked: true))
    }
    let silent = Ear.clinicalOrder.filter { points(of: $0).contains(where: \.isNoResponse) }.map {
      Legend.Entry(
        text: "\($0.title), no response", style: $0.style,
        sample: Self.symbols(of: $0, isNoResponse: true))
    }
    guard layout.isNarrow else { return [ears, masked, silent] }
    let names = HearingGrade.allCases.map { $0.title.lowercased() }.joined(separator: ", ")
    let grades = TextExtent.lines(
      of: "Bands, from the top: \(names) (WHO 2021)", width: layout.legendWidth,
      size: PictureStyle.textSize)
    return [ears] + grades.map { [Legend.Entry(text: $0)] } + [masked, silent]
  }

  /// The symbol of a point. If the listener did not respond, the symbol has an arrow, as in
  /// clinical audiograms. The arrow points down and to the left for the right ear, and down and to
  /// the right for the left ear.
  private static func symbols(
    of ear: Ear, isMasked: Bool = false, isNoResponse: Bool = false
  ) -> [MarkupElement] {
    let usual: MarkupElement = ear == .right ? .circle : .cross
    let masked: MarkupElement = ear == .right ? .triangle : .square
    let symbol = isMasked ? masked : usual
    guard isNoResponse else { return [symbol] }
    let path = ear == .right ? "M-6 6L-16 16M-16 9V16H-9" : "M6 6L16 16M16 9V16H9"
    return [symbol, MarkupElement("path", ["d": path, "class": "hp-symbol hp-arrow"])]
  }
}
