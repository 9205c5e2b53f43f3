/// The sizes and the arrangement of a picture on a wide page or on a phone.
///
/// A picture has a wide layout and a narrow layout, with the same content and the same text size.
/// The narrow layout fits on a page that is 390 CSS pixels wide. In the narrow layout, the panels
/// of the ears are one below the other.
struct PictureLayout: Sendable {
  /// The width of the picture in CSS pixels.
  let width: Double
  /// The distance from the left edge of the picture to the title.
  let margin: Double
  let titleSize: Double
  /// The left edge of the first panel.
  let panelLeft: Double
  /// The distance from a panel to the title of the panel's vertical axis.
  let verticalTitleGap: Double
  /// The size of an ear's panel in pictures that have one panel for each ear.
  let earPanelSize: (width: Double, height: Double)
  /// The horizontal and the vertical distance from the first ear's panel to the second ear's panel.
  let earDistance: Point
  /// True if the ears' panels are one below the other. In the narrow layout, texts that do not fit
  /// beside a panel are below the panel.
  let isNarrow: Bool

  /// The layout for wide pages and for files.
  static let wide = PictureLayout(
    width: 800, margin: 20, titleSize: 18, panelLeft: 76, verticalTitleGap: 50,
    earPanelSize: (308, 300), earDistance: Point(x: 400, y: 0), isNarrow: false)

  /// The layout for phones.
  static let narrow = PictureLayout(
    width: 360, margin: 12, titleSize: 15, panelLeft: 54, verticalTitleGap: 38,
    earPanelSize: (294, 230), earDistance: Point(x: 0, y: 310), isNarrow: true)

  /// Returns the frame of an ear's panel. The `index` is 0 for the first ear and 1 for the second
  /// ear.
  func earFrame(_ index: Int) -> Frame {
    Frame(
      left: panelLeft + Double(index) * earDistance.x, top: 78 + Double(index) * earDistance.y,
      width: earPanelSize.width, height: earPanelSize.height)
  }

  /// The frame of a full-width panel. The panels with the indices 0 and 1 are one below the other.
  /// The upper edges of the two panels are `rowHeight` apart.
  func wideFrame(_ index: Int, height: Double, rowHeight: Double) -> Frame {
    Frame(
      left: panelLeft, top: 72 + Double(index) * rowHeight,
      width: width - panelLeft - rightMargin, height: height)
  }

  /// The distance from the right side of a full-width panel to the right edge of the picture.
  var rightMargin: Double { isNarrow ? 12 : 34 }

  /// The y coordinate of the lower edge of the second ear's panel.
  var earsBottom: Double { earFrame(1).bottom }

  /// The left edge of the legend.
  var legendLeft: Double { isNarrow ? margin : panelLeft }
  /// The width of the legend.
  var legendWidth: Double { width - legendLeft - margin / 2 }
}
