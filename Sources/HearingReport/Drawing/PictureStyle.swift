import HearingFitting

/// The style sheet of all pictures, and the text sizes.
///
/// The style sheet sets colours with CSS classes and without CSS variables. Viewers with limited
/// CSS support therefore draw the picture correctly in light colours. The contrast ratio to the
/// background is at least 4.5 for text, and at least 3 for lines and symbols. These contrast ratios
/// apply to the light and to the dark colour scheme.
enum PictureStyle {
  static let headingSize = 15.0
  static let textSize = 13.0
  /// The distance from the vertical middle of a line of text to the baseline of the text.
  static let baseline = 0.35 * textSize

  /// The CSS rules. The rules contain none of the characters `<`, `>` and `&`.
  static let sheet = """
    .hearing-picture{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,\
    "Liberation Sans",sans-serif}
    .hearing-picture text{-webkit-user-select:text;user-select:text}
    .hp-line,.hp-curve,.hp-symbol,.hp-mark{fill:none;stroke-linejoin:round;stroke-linecap:round}
    .hp-line,.hp-curve{stroke-width:2}.hp-symbol{stroke-width:2.25}.hp-mark{stroke-width:1.5}
    .hp-dot{stroke:none}.hp-title{font-weight:600}
    .hp-grid,.hp-grid-fine,.hp-frame,.hp-limit,.hp-unity{fill:none}
    .hp-grid,.hp-grid-fine,.hp-frame{stroke-width:1}
    .hp-grid-fine{stroke-dasharray:2 4}
    .hp-limit{stroke-width:1.5;stroke-dasharray:1 4;stroke-linecap:round}
    .hp-unity{stroke-width:1;stroke-dasharray:5 4}
    .hp-dash-left{stroke-dasharray:8 6}
    .hp-dash-soft{stroke-dasharray:9 5}
    .hp-dash-loud{stroke-dasharray:1.5 4.5}
    \(colors(of: .light))
    @media screen and (prefers-color-scheme:dark){
    \(colors(of: .dark))
    }
    """

  private static func colors(of palette: Palette) -> String {
    let bands = palette.bands.enumerated().map { ".hp-band-\($0.offset){fill:\($0.element)}" }
    let tones = palette.tones.enumerated().map { ".hp-tone-\($0.offset){fill:\($0.element)}" }
    return """
      .hp-paper{fill:\(palette.paper)}
      .hp-text,.hp-title{fill:\(palette.ink)}
      .hp-quiet{fill:\(palette.quietInk)}
      .hp-grid,.hp-grid-fine{stroke:\(palette.grid)}
      .hp-frame,.hp-limit,.hp-unity{stroke:\(palette.frame)}.hp-bar{fill:\(palette.frame)}
      .hp-right{stroke:\(palette.right)}.hp-right .hp-dot,.hp-bar-right{fill:\(palette.right)}
      .hp-left{stroke:\(palette.left)}.hp-left .hp-dot,.hp-bar-left{fill:\(palette.left)}
      .hp-any{stroke:\(palette.ink)}.hp-any .hp-dot{fill:\(palette.ink)}
      .hp-right title,.hp-left title{stroke:none}
      \((bands + tones).joined(separator: "\n"))
      """
  }
}

extension Ear {
  /// The CSS class for the colour of the ear.
  var style: String { "hp-" + rawValue }

  /// The CSS classes of a line with the colour of the ear. The line is dashed for the left ear.
  var lineStyle: String { self == .left ? style + " hp-dash-left" : style }

  /// The small symbol that marks the values of the ear.
  var marker: MarkupElement { self == .left ? .smallCross : .ring }
}

/// Symbols for the points of a picture. The centre of each symbol has the coordinates (0, 0).
extension MarkupElement {
  static let circle = MarkupElement("circle", ["r": "8", "class": "hp-symbol"])
  static let cross = MarkupElement("path", ["d": "M-6 -6L6 6M6 -6L-6 6", "class": "hp-symbol"])
  static let triangle = MarkupElement(
    "path", ["d": "M0 -9.5L8.5 6L-8.5 6Z", "class": "hp-symbol"])
  static let square = MarkupElement("path", ["d": "M-7 -7H7V7H-7Z", "class": "hp-symbol"])
  static let dot = MarkupElement("circle", ["r": "3.2", "class": "hp-dot"])
  static let ring = MarkupElement("circle", ["r": "4.5", "class": "hp-mark"])
  static let box = MarkupElement("path", ["d": "M-6 -6H6V6H-6Z", "class": "hp-mark"])
  static let smallCross = MarkupElement(
    "path", ["d": "M-3.5 -3.5L3.5 3.5M3.5 -3.5L-3.5 3.5", "class": "hp-mark"])
}

/// The colours of a picture in one colour scheme, in the notation of CSS.
struct Palette: Sendable, Equatable {
  let paper: String
  let ink: String
  let quietInk: String
  let grid: String
  let frame: String
  let right: String
  let left: String
  /// The background colours of the grades of hearing loss, from no hearing loss to complete hearing
  /// loss.
  let bands: [String]
  /// The colours for levels in a spectrogram, from the minimum to the maximum level.
  let tones: [String]

  static let light = Palette(
    paper: "#ffffff", ink: "#1a1c1f", quietInk: "#4a4f57", grid: "#b9bec6", frame: "#5d646e",
    right: "#c01020", left: "#1746c0",
    bands: ["#f4f9f4", "#f8f7ea", "#faf3e2", "#faeedd", "#f8e8dc", "#f4e2de", "#ecdce2"],
    tones: [
      "#e4ecf7", "#c5d7ee", "#a6c3e5", "#89aedb", "#709bd1", "#5788c6", "#4476ba", "#3765ac",
      "#2a549e", "#214281", "#182f60", "#101c3f",
    ])

  static let dark = Palette(
    paper: "#15171b", ink: "#eceef1", quietInk: "#b6bcc6", grid: "#474d57", frame: "#8d95a1",
    right: "#ff8078", left: "#7fb2ff",
    bands: ["#18211b", "#20221a", "#262119", "#2a1f19", "#2c1d1b", "#2b1b20", "#281b28"],
    tones: [
      "#1d2635", "#223450", "#27426a", "#2e5185", "#3966a0", "#447bbb", "#5791cf", "#70a6de",
      "#89bbec", "#aacff4", "#cee4fa", "#f2f8ff",
    ])
}
