import Foundation
import HearingFitting

/// A rectangle with two axes. The panel draws its frame, the grid and the numbers, and computes the
/// positions of values.
struct PlotPanel: Sendable {
  /// A grid line with an optional number. If `text` is nil, the line has no number. The numbers of
  /// fine grid lines are in a separate row, farther from the frame.
  struct Tick: Sendable {
    let value: Double
    let text: String?
    var isFine = false

    /// Creates grid lines with numbers, at equal distances of `step`.
    static func numbered(_ values: ClosedRange<Double>, by step: Double) -> [Tick] {
      stride(from: values.lowerBound, through: values.upperBound, by: step)
        .map { Tick(value: $0, text: $0.readable()) }
    }
  }

  let frame: Frame
  let horizontal: Scale
  let vertical: Scale
  let horizontalTicks: [Tick]
  /// The grid lines of the vertical axis. The vertical axis has no fine grid lines.
  let verticalTicks: [Tick]
  /// Whether the numbers of the horizontal axis are above the panel.
  var hasNumbersAbove = false

  /// The height of a row of numbers below the frame.
  static let numberHeight = 22.0
  /// The distance between two rows of numbers.
  static let numberRow = 16.0

  /// Returns grid lines at round times, such as multiples of 0.5 s. The distance between two lines
  /// is large enough for the numbers of the lines.
  static func timeTicks(_ seconds: Double, _ layout: PictureLayout) -> [Tick] {
    let maximumCount = layout.isNarrow ? 5.0 : 10.0
    var step = pow(10, log10(seconds / maximumCount).rounded(.down))
    for factor in [2.0, 2.5, 2] where seconds / step > maximumCount { step *= factor }
    let places = max(0, min(6, Int((-log10(step)).rounded(.up)) + 1))
    return (0...Int(seconds / step + 1e-9)).map {
      let time = Double($0) * step
      return Tick(value: time, text: time.readable(places: places))
    }
  }

  func point(_ x: Double, _ y: Double) -> Point {
    Point(x: horizontal.position(of: x), y: vertical.position(of: y))
  }

  /// Draws the grid, the frame and the numbers.
  func draw(on canvas: inout Canvas) {
    for tick in horizontalTicks {
      let x = horizontal.position(of: tick.value)
      canvas.line(
        from: Point(x: x, y: frame.top), to: Point(x: x, y: frame.bottom),
        class: tick.isFine ? "hp-grid-fine" : "hp-grid")
      guard let text = tick.text else { continue }
      let row = tick.isFine ? Self.numberRow : 0
      let y = hasNumbersAbove ? frame.top - 8 - row : frame.bottom + 18 + row
      canvas.text(text, at: Point(x: x, y: y), anchor: .middle, class: "hp-quiet")
    }
    for tick in verticalTicks {
      let y = vertical.position(of: tick.value)
      canvas.line(
        from: Point(x: frame.left, y: y), to: Point(x: frame.right, y: y), class: "hp-grid")
      guard let text = tick.text else { continue }
      canvas.text(
        text, at: Point(x: frame.left - 8, y: y + PictureStyle.baseline), anchor: .end,
        class: "hp-quiet")
    }
    canvas.rectangle(frame, class: "hp-frame")
  }
}

extension Canvas {
  /// Draws the panel of one ear, with a frequency axis and the titles of both axes.
  ///
  /// - Parameters:
  ///   - frequencies: Frequencies in Hz that the axis must include.
  ///   - missing: The reason why the ear has no curves; nil if the ear has curves. If there is a
  ///     reason, the panel contains only this text, without axes.
  /// - Returns: The panel; nil if `missing` is not nil.
  mutating func earPanel(
    _ ear: Ear, in frame: Frame, showing frequencies: [Double] = [], vertical: Scale,
    ticks: [PlotPanel.Tick], title: String, missing: String?
  ) -> PlotPanel? {
    heading(ear.title, above: frame)
    if let missing {
      rectangle(frame, class: "hp-frame")
      note(missing, in: frame)
      return nil
    }
    let axis = FrequencyAxis(showing: frequencies)
    let panel = PlotPanel(
      frame: frame, horizontal: axis.scale(over: frame), vertical: vertical,
      horizontalTicks: axis.ticks(numbersBetweenOctaves: false, over: frame), verticalTicks: ticks)
    panel.draw(on: &self)
    verticalTitle(title, beside: frame)
    horizontalTitle("Frequency (Hz)", below: frame)
    return panel
  }

  /// Draws a sentence in the middle of a panel.
  mutating func note(_ text: String, in frame: Frame) {
    self.text(text, at: frame.center, anchor: .middle, class: "hp-quiet")
  }
}

/// Maps values to positions on an axis.
struct Scale: Sendable, Equatable {
  /// The values at the ends of the axis. The two values must be different.
  let values: ClosedRange<Double>
  /// The coordinate of the minimum value. The coordinate `start` may be larger than `end`.
  let start: Double
  /// The coordinate of the maximum value.
  let end: Double
  /// True for a logarithmic scale, and false for a linear scale.
  var isLogarithmic = false

  /// The coordinate of a value. The value may lie outside the axis.
  func position(of value: Double) -> Double {
    let low = scaled(values.lowerBound)
    let fraction = (scaled(value) - low) / (scaled(values.upperBound) - low)
    return start + fraction * (end - start)
  }

  private func scaled(_ value: Double) -> Double { isLogarithmic ? log2(value) : value }
}
