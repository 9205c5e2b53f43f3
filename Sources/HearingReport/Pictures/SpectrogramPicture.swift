import Foundation

/// A picture of the levels of audio as a function of time and frequency, before and after
/// processing.
///
///     let picture = SpectrogramPicture(
///       edges: [100, 1000, 8000], secondsPerColumn: 0.5,
///       before: [[-30, -45], [-32, -41]], after: [[-31, -60], [-33, -58]])
///     try picture.svg.data.write(to: url)
///
/// Time increases to the right. Frequency increases upwards on a logarithmic axis. A stronger
/// colour means a higher level, in steps of 5 dB. Levels that are more than 60 dB below the maximum
/// level of the two panels are not drawn.
///
/// The picture has one column for each time interval of ``secondsPerColumn``. Each column consists
/// of many rectangles. Therefore a picture with many columns makes a large file. A picture on a
/// page should therefore have at most a few hundred columns.
public struct SpectrogramPicture: Sendable, Equatable {
  /// The edges of the bands in Hz, in ascending order and above 0. The number of edges is the
  /// number of bands plus 1.
  public let edges: [Double]
  /// The time that a column covers, in seconds.
  public let secondsPerColumn: Double
  /// The level in dB of each band before processing, `[column][band]`. The level of silence is −∞.
  public let before: [[Double]]
  /// The level in dB of each band after processing, `[column][band]`. The level of silence is −∞.
  public let after: [[Double]]
  /// The title of the picture. A title that is longer than one line is cut off.
  public var title: String
  /// The time spans in seconds in which the audio was muted intentionally. The silence in a muted
  /// time span is not an effect of the processing. Therefore the picture marks muted time spans.
  public var muted: [Range<Double>]

  /// Creates a picture of levels in dB. The levels are indexed by `[column][band]`.
  public init(
    edges: [Double], secondsPerColumn: Double, before: [[Double]], after: [[Double]],
    title: String = "Before and after", muted: [Range<Double>] = []
  ) {
    precondition(
      edges.count >= 2 && edges.allSatisfy { $0 > 0 && $0.isFinite }
        && zip(edges, edges.dropFirst()).allSatisfy { $0 < $1 }, "bands between \(edges) Hz")
    precondition(
      secondsPerColumn > 0 && secondsPerColumn.isFinite, "columns of \(secondsPerColumn) s")
    for column in before + after {
      precondition(
        column.count == edges.count - 1, "\(column.count) levels for \(edges.count - 1) bands")
    }
    self.edges = edges
    self.secondsPerColumn = secondsPerColumn
    self.before = before
    self.after = after
    self.title = title
    self.muted = muted
  }

  /// The picture.
  public var svg: SVGPicture { SVGPicture(title: title, summary: summary, draw: draw) }

  private var summary: String {
    let seconds = Double(max(before.count, after.count)) * secondsPerColumn
    let (low, high) = (edges[0].readable(places: 0), edges[edges.count - 1].readable(places: 0))
    return "\(seconds.readable()) s of sound, \(low) to \(high) Hz. Mean level before "
      + "\(Self.meanLevel(of: before)), after \(Self.meanLevel(of: after))."
  }

  /// The level of the mean power of the columns in dB, as text.
  private static func meanLevel(of columns: [[Double]]) -> String {
    let power = columns.joined().filter(\.isFinite).reduce(0) { $0 + pow(10, $1 / 10) }
    guard power > 0, power.isFinite else { return "silent" }
    return "\((10 * log10(power / Double(columns.count))).readable()) dB"
  }

  /// The size of the level range that each colour represents, in dB.
  static let step = 5.0
  /// The number of colours.
  static let stepCount = 12

  /// Draws everything below the title and returns the height of the picture.
  private func draw(on canvas: inout Canvas) -> Double {
    let layout = canvas.layout
    // `maximum` is the maximum level in dB, rounded up to a multiple of `step`. If there is only
    // silence, `maximum` is nil.
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
      // In the narrow layout, numbers of four digits leave no space for the title of the vertical
      // axis.
      if !layout.isNarrow { canvas.verticalTitle("Frequency (Hz)", beside: panel.frame) }
      canvas.horizontalTitle("Time (s)", below: panel.frame)
    }
    return maximum.map { drawKey(below: bottom + 62, maximum: $0, on: &canvas) } ?? bottom + 62
  }

  /// The index of the colour for a level; nil if the level is not drawn. The index 0 means the
  /// lowest levels that are drawn.
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

  /// Draws a rectangle over a time span in which the audio was muted.
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
      horizontal: Scale(values: 0...seconds, start: frame.left, end: frame.right),
      vertical: Scale(
        values: bottom...top, start: frame.bottom, end: frame.top, isLogarithmic: true),
      horizontalTicks: PlotPanel.timeTicks(seconds, layout),
      verticalTicks: FrequencyAxis.octaves.filter((bottom...top).contains)
        .map { PlotPanel.Tick(value: $0, text: $0.readable()) })
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
