/// The arrangement of a picture: on a wide page, or on a phone.
///
/// Both have the same content and the same size of text. The narrow one fits into the column of a
/// page that is 390 CSS pixels wide, and has the ears below each other.
struct PictureLayout: Sendable, Equatable {
  /// The width of the picture.
  let width: Double
  /// The distance of the title from the left edge.
  let margin: Double
  let titleSize: Double
  /// The left edge of the first panel.
  let panelLeft: Double
  /// The distance of the title of a vertical axis from its panel.
  let verticalTitleGap: Double
  /// The panels of both ears; of a picture with a panel for each.
  let earPanelSize: (width: Double, height: Double)
  /// The distance of the second ear's panel from the first one's.
  let earDistance: Point
  /// Whether the ears are below each other, and names that do not fit beside a panel are below it.
  let isNarrow: Bool

  /// For pages and files.
  static let wide = PictureLayout(
    width: 800, margin: 20, titleSize: 18, panelLeft: 76, verticalTitleGap: 50,
    earPanelSize: (308, 300), earDistance: Point(x: 400, y: 0), isNarrow: false)

  /// For phones.
  static let narrow = PictureLayout(
    width: 360, margin: 12, titleSize: 15, panelLeft: 54, verticalTitleGap: 38,
    earPanelSize: (294, 230), earDistance: Point(x: 0, y: 310), isNarrow: true)

  /// The frame of the panel of the first (0) or the second ear (1).
  func earFrame(_ index: Int) -> Frame {
    Frame(
      left: panelLeft + Double(index) * earDistance.x, top: 78 + Double(index) * earDistance.y,
      width: earPanelSize.width, height: earPanelSize.height)
  }

  /// The bottom of the panels of both ears.
  var earsBottom: Double { earFrame(1).bottom }

  /// The left edge of the legend.
  var legendLeft: Double { isNarrow ? margin : panelLeft }
  /// The width of the legend.
  var legendWidth: Double { width - legendLeft - margin / 2 }

  static func == (one: PictureLayout, other: PictureLayout) -> Bool { one.width == other.width }
}
