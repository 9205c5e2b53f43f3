public import HearingFitting

/// A picture of levels in dB SPL as a function of frequency, before and after processing. There is
/// a panel for each ear.
///
///     let picture = SpectrumPicture(
///       frequencies: [500, 1000, 2000], before: [.left: [58, 52, 47]],
///       after: [.left: [65, 66, 64]])
///     try picture.svg.data.write(to: url)
///
/// The frequency axis is logarithmic. The frequencies are usually the centres of third-octave
/// bands. The curves differ in colour, dashes and symbols. Silence is not drawn. Levels that are
/// more than 80 dB below the maximum level are also not drawn. The panel of an ear without levels
/// contains only a note that nothing was measured.
///
/// To show the prescribed gain, use ``InsertionGainPicture``.
public struct SpectrumPicture: Sendable, Equatable {
  /// A curve with levels for each ear.
  struct Curve: Sendable, Equatable {
    /// The line and the symbols of a curve.
    struct Style: Sendable, Equatable {
      let dash: String
      let marker: MarkupElement?
      /// Whether the curve has the colour of its ear.
      let isColored: Bool

      /// A dashed line with dots, for the curve with which other curves are compared.
      static let reference = Style(dash: " hp-dash-soft", marker: .dot, isColored: false)
      /// A solid line with rings in the colour of the ear, for a result.
      static let result = Style(dash: "", marker: .ring, isColored: true)
      /// A solid line with triangles, for thresholds.
      static let threshold = Style(dash: "", marker: .triangle, isColored: false)
      /// A dotted line with squares in the colour of the ear, for the maximum output.
      static let maximum = Style(dash: " hp-dash-loud", marker: .box, isColored: true)
      /// A dotted line without symbols, for a limit.
      static let limit = Style(dash: " hp-dash-loud", marker: nil, isColored: false)
    }

    /// The name in the legend.
    let name: String
    /// The style in which the curve is drawn.
    let style: Style
    /// The levels in dB SPL, one for each frequency. The level of silence is −∞. An unknown level
    /// is ∞, and is not drawn.
    var levels: [Ear: [Double]] = [:]
  }

  /// The frequencies in Hz, ascending and above 0. There is at least one frequency.
  public let frequencies: [Double]
  /// The curves of the picture, for both ears.
  let curves: [Curve]
  /// Levels that are more than `depth` dB below the maximum level are not drawn.
  let depth: Double
  /// The title of the picture. A title that is longer than one line is cut off.
  public var title: String

  /// Creates a picture of curves. Each curve has a level in dB SPL for each frequency in Hz.
  init(frequencies: [Double], curves: [Curve], depth: Double = 80, title: String) {
    precondition(
      frequencies.first.map { $0 > 0 } ?? false && frequencies.allSatisfy(\.isFinite)
        && zip(frequencies, frequencies.dropFirst()).allSatisfy { $0 < $1 },
      "bands at \(frequencies) Hz")
    for levels in curves.flatMap(\.levels.values) {
      precondition(levels.count == frequencies.count, "\(levels.count) levels in \(frequencies)")
    }
    self.frequencies = frequencies
    self.curves = curves
    self.depth = depth
    self.title = title
  }

  /// Creates a picture of the levels before and after processing.
  ///
  /// - Parameters:
  ///   - frequencies: The frequencies in Hz, ascending and above 0. There must be at least one.
  ///   - before: The levels before processing, in dB SPL. Each ear has one level for each
  ///     frequency. The level of silence is −∞.
  ///   - after: The levels after processing, in the same form as `before`.
  ///   - names: The names of the two curves in the legend.
  ///   - title: The title of the picture.
  public init(
    frequencies: [Double], before: [Ear: [Double]], after: [Ear: [Double]],
    names: (before: String, after: String) = ("Before", "After"),
    title: String = "Spectrum before and after"
  ) {
    self.init(
      frequencies: frequencies,
      curves: [
        Curve(name: names.before, style: .reference, levels: before),
        Curve(name: names.after, style: .result, levels: after),
      ], title: title)
  }

  /// The picture.
  public var svg: SVGPicture { SVGPicture(title: title, summary: summary, draw: draw) }

  private var summary: String {
    Ear.sentences { ear in
      let shown = curves.compactMap { curve in curve.levels[ear].map { (curve.name, $0) } }
      guard !shown.isEmpty else { return "\(ear.title): nothing measured." }
      let bands = frequencies.indices.map { band in
        let levels = shown.map(\.1[band]).map {
          $0.isFinite ? $0.readable() : $0 > 0 ? "unknown" : "silent"
        }
        return "\(frequencies[band].readable()) Hz \(levels.joined(separator: ", "))"
      }
      let names = shown.map { $0.0.lowercased() }.joined(separator: ", ")
      return "\(ear.title), \(names) in dB SPL: \(bands.joined(separator: "; "))."
    }
  }

  private static let step = 10.0
  /// The minimum range in dB of the level axis.
  private static let minimumSpan = 40.0
  /// The minimum distance in dB between the maximum level and the upper end of the level axis.
  private static let headroom = 2.0

  /// The range of the levels that are drawn, in dB SPL. Nil if there is only silence.
  private var shownLevels: ClosedRange<Double>? {
    let heard = curves.flatMap(\.levels.values).joined().filter { abs($0) < 1000 }
    guard let maximum = heard.max() else { return nil }
    return (heard.filter { $0 >= maximum - depth }.min() ?? maximum)...maximum
  }

  /// The range of the level axis in dB SPL. Both ends of the range are multiples of `step`.
  private var axisLevels: ClosedRange<Double> {
    guard let shown = shownLevels else { return 0...depth }
    let top = ((shown.upperBound + Self.headroom) / Self.step).rounded(.up) * Self.step
    let bottom = (shown.lowerBound / Self.step).rounded(.down) * Self.step
    return min(bottom, top - Self.minimumSpan)...top
  }

  /// Draws everything below the title and returns the height of the picture.
  private func draw(on canvas: inout Canvas) -> Double {
    let levels = axisLevels
    let margin = (levels.upperBound - levels.lowerBound) * 0.03
    let shown = levels.lowerBound - margin...levels.upperBound + margin
    var bottom = 0.0
    for (index, ear) in Ear.clinicalOrder.enumerated() {
      let frame = canvas.layout.wideFrame(index, height: 230, rowHeight: 320)
      bottom = frame.bottom
      let curves = self.curves.filter { $0.levels[ear] != nil }
      let panel = canvas.earPanel(
        ear, in: frame, showing: frequencies,
        vertical: Scale(values: shown, start: frame.bottom, end: frame.top),
        ticks: PlotPanel.Tick.numbered(levels, by: Self.step), title: "Level (dB SPL)",
        missing: curves.isEmpty ? "Nothing measured" : nil)
      guard let panel else { continue }
      for curve in curves { draw(curve, of: ear, in: panel, on: &canvas) }
    }
    return canvas.finish(with: legend, below: bottom + 54)
  }

  /// Draws the levels within `shownLevels`. A level outside `shownLevels`, such as silence,
  /// interrupts the curve.
  private func draw(_ curve: Curve, of ear: Ear, in panel: PlotPanel, on canvas: inout Canvas) {
    let values = curve.levels[ear] ?? []
    let shown = shownLevels
    let isDrawn = values.map { shown?.contains($0) ?? false }
    let color = curve.style.isColored ? ear.style : "hp-any"
    for run in isDrawn.indices.split(whereSeparator: { !isDrawn[$0] }) {
      canvas.polyline(
        run.map { panel.point(frequencies[$0], values[$0]) },
        class: "hp-curve \(color)\(curve.style.dash)")
    }
    guard let marker = curve.style.marker else { return }
    for band in values.indices where isDrawn[band] {
      let frequency = frequencies[band]
      canvas.symbols(
        [marker], at: panel.point(frequency, values[band]), class: "hp-point " + color,
        title: "\(ear.title), \(curve.name.lowercased()), \(frequency.readable(places: 2)) Hz: "
          + "\(values[band].readable()) dB SPL")
    }
  }

  /// The entries of the legend. If a curve has different colours for the two ears, the curve has
  /// one entry for each ear.
  private var legend: [[Legend.Entry]] {
    let entries = curves.filter { !$0.levels.isEmpty }.flatMap { curve in
      let ears = Ear.clinicalOrder.filter { curve.levels[$0] != nil }
      let names =
        curve.style.isColored
        ? ears.map { ("\(curve.name), \($0.title.lowercased())", $0.style) }
        : [(curve.name, "hp-any")]
      return names.map { text, color in
        let line = Legend.line(class: "hp-curve \(color)\(curve.style.dash)")
        return Legend.Entry(
          text: text, style: color, sample: [line, curve.style.marker].compactMap(\.self))
      }
    }
    return [entries]
  }
}
