/// The colours of a picture in one colour scheme, as CSS writes them.
struct Palette: Sendable, Equatable {
  let paper: String
  let ink: String
  let quietInk: String
  let grid: String
  let frame: String
  let right: String
  let left: String
  /// Behind the grades of hearing loss, from none to complete.
  let bands: [String]

  static let light = Palette(
    paper: "#ffffff", ink: "#1a1c1f", quietInk: "#4a4f57", grid: "#b9bec6", frame: "#5d646e",
    right: "#c01020", left: "#1746c0",
    bands: ["#f4f9f4", "#f8f7ea", "#faf3e2", "#faeedd", "#f8e8dc", "#f4e2de", "#ecdce2"])

  static let dark = Palette(
    paper: "#15171b", ink: "#eceef1", quietInk: "#b6bcc6", grid: "#474d57", frame: "#8d95a1",
    right: "#ff8078", left: "#7fb2ff",
    bands: ["#18211b", "#20221a", "#262119", "#2a1f19", "#2c1d1b", "#2b1b20", "#281b28"])
}
