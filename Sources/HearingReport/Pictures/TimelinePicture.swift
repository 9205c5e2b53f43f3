/// A picture of events over time. There is a row of bars for each kind of event.
///
///     let picture = TimelinePicture(
///       seconds: 12,
///       rows: [
///         .init("Talk at this end", [.init(0.8..<3.1), .init(6..<9.5)]),
///         .init("Music lowered", [.init(0.8..<4.3, text: "10 dB")]),
///       ])
///     try picture.svg.data.write(to: url)
public struct TimelinePicture: Sendable, Equatable {
  /// The events of one kind.
  public struct Row: Sendable, Equatable {
    let name: String
    let spans: [Span]
    /// The CSS class of the bars.
    private(set) var style = "hp-bar"

    /// Creates a row of events of the same kind.
    ///
    /// - Parameters:
    ///   - name: The name of the row, a few words above the bars.
    ///   - spans: The events, in order of time.
    public init(_ name: String, _ spans: [Span]) {
      self.name = name
      self.spans = spans
    }

    /// A copy of the row in an accent colour.
    public var accented: Row { styled("hp-bar-left") }

    /// A copy of the row in the colour of a warning.
    public var warning: Row { styled("hp-bar-right") }

    private func styled(_ style: String) -> Row {
      var row = self
      row.style = style
      return row
    }
  }

  /// One event, drawn as a bar.
  public struct Span: Sendable, Equatable {
    let time: Range<Double>
    let text: String?
    /// The CSS class of the bar. Nil means the class of the row.
    var style: String?

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - time: The start and the end of the event in seconds.
    ///   - text: A text that explains the event. The text is shown beside the name of the row. If
    ///     several events of the row have the same text, the text is shown only once. The text is
    ///     omitted if there is not enough space.
    public init(_ time: Range<Double>, text: String? = nil) {
      self.time = time
      self.text = text
    }

    /// A copy of the event, drawn in a shade of one colour. The strength is 0 for the faintest
    /// shade and 1 for the strongest shade.
    public func shaded(_ strength: Double) -> Span {
      var span = self
      span.style = "hp-tone-\(4 + Int((7 * min(max(strength, 0), 1)).rounded()))"
      return span
    }
  }

  /// The length of the axis in seconds, above 0.
  public let seconds: Double
  /// The rows, from top to bottom.
  public let rows: [Row]
  /// The title of the picture. A title that is longer than one line is cut off.
  public var title: String

  /// Creates a picture with a time axis of `seconds` seconds.
  public init(seconds: Double, rows: [Row], title: String = "Time line") {
    precondition(seconds > 0 && seconds.isFinite, "a time line of \(seconds) s")
    self.seconds = seconds
    self.rows = rows
    self.title = title
  }

  /// The picture.
  public var svg: SVGPicture { SVGPicture(title: title, summary: summary, draw: draw) }

  private var summary: String {
    let parts = rows.map { row in
      let total = row.spans.reduce(0) { $0 + $1.time.upperBound - $1.time.lowerBound }
      let times = row.spans.count == 1 ? "once" : "\(row.spans.count) times"
      return row.spans.isEmpty
        ? "\(row.name): never" : "\(row.name): \(times), \(total.readable()) s"
    }
    return "\(seconds.readable()) s. " + parts.joined(separator: "; ") + "."
  }

  private static let rowHeight = 48.0

  /// Draws everything below the title and returns the height of the picture.
  private func draw(on canvas: inout Canvas) -> Double {
    let layout = canvas.layout
    let left = layout.isNarrow ? layout.margin : 24
    let right = layout.isNarrow ? 22.0 : 34
    let frame = Frame(
      left: left, top: 54, width: layout.width - left - right,
      height: Self.rowHeight * Double(rows.count) + 8)
    let panel = PlotPanel(
      frame: frame, horizontal: Scale(values: 0...seconds, start: frame.left, end: frame.right),
      vertical: Scale(values: 0...1, start: frame.bottom, end: frame.top),
      horizontalTicks: PlotPanel.timeTicks(seconds, layout), verticalTicks: [])
    panel.draw(on: &canvas)
    for (index, row) in rows.enumerated() {
      draw(row, top: frame.top + Self.rowHeight * Double(index), in: panel, on: &canvas)
    }
    canvas.horizontalTitle("Time (s)", below: frame)
    return frame.bottom + 58
  }

  private func draw(_ row: Row, top: Double, in panel: PlotPanel, on canvas: inout Canvas) {
    canvas.text(row.name, at: Point(x: panel.frame.left + 6, y: top + 19))
    var keyStart = panel.frame.left + 20 + TextExtent.width(of: row.name)
    let bar = Frame(left: panel.frame.left, top: top + 26, width: panel.frame.width, height: 16)
    canvas.rectangle(bar, class: "hp-band-0")
    var named: Set<String> = []
    for span in row.spans {
      let start = max(bar.left, panel.horizontal.position(of: span.time.lowerBound))
      let end = min(bar.right, panel.horizontal.position(of: span.time.upperBound))
      guard end > start else { continue }
      let style = span.style ?? row.style
      // Without a minimum width, the bar of a short event could be invisible.
      canvas.rectangle(
        Frame(left: start, top: bar.top, width: max(end - start, 1.5), height: bar.height),
        class: style)
      guard let text = span.text, named.insert(text).inserted else { continue }
      let textEnd = keyStart + 16 + TextExtent.width(of: text)
      guard textEnd <= bar.right else { continue }
      canvas.rectangle(Frame(left: keyStart, top: top + 9, width: 11, height: 11), class: style)
      canvas.text(text, at: Point(x: keyStart + 16, y: top + 19), class: "hp-quiet")
      keyStart = textEnd + 12
    }
  }
}
