/// Two diagrams side by side: the error over the number of tones, and whether the stated
/// uncertainty is correct.
struct AudiometryPicture {
  let courses: [(name: String, errors: [Double])]
  /// For each decile of the distribution that the test predicts: the number of errors in this
  /// decile.
  let calibration: [Int]

  private static let colors = ["#c01020", "#1746c0"]

  var svg: String {
    var lines = [
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 860 400\" font-family=\"sans-serif\" "
        + "font-size=\"13\">",
      "<rect width=\"860\" height=\"400\" fill=\"#fff\"/>",
    ]
    lines += errorDiagram
    lines += calibrationDiagram
    return (lines + ["</svg>"]).joined(separator: "\n") + "\n"
  }

  private var errorDiagram: [String] {
    let x = { (tones: Double) in 60 + tones / 120 * 440 }
    let y = { (error: Double) in 340 - min(error, 20) / 20 * 290 }
    var lines = [
      text("Mean error in dB over tones per ear (thresholds up to 65 dB HL)", 60, 30, bold: true)
    ]
    for error in stride(from: 0.0, through: 20, by: 5) {
      lines.append(line(x(0), y(error), x(120), y(error)))
      lines.append(text("\(Int(error))", 50, y(error) + 4, anchor: "end"))
    }
    for tones in stride(from: 0.0, through: 120, by: 20) {
      lines.append(text("\(Int(tones))", x(tones), 360, anchor: "middle"))
    }
    for (index, course) in courses.enumerated() {
      let points = course.errors.enumerated().filter { $0.element.isFinite }.map {
        "\(x(Double($0.offset)).digits(1)),\(y($0.element).digits(1))"
      }
      lines.append(
        "<polyline fill=\"none\" stroke-width=\"2\" stroke=\"\(Self.colors[index])\" "
          + "points=\"\(points.joined(separator: " "))\"/>")
      lines.append(
        "<rect x=\"330\" y=\"\(58 + index * 22)\" width=\"14\" height=\"4\" "
          + "fill=\"\(Self.colors[index])\"/>")
      lines.append(text(course.name, 350, Double(64 + index * 22)))
    }
    return lines
  }

  private var calibrationDiagram: [String] {
    let total = Double(max(calibration.reduce(0, +), 1))
    var lines = [text("Where the truth lies, in tenths", 560, 30, bold: true)]
    for (index, count) in calibration.enumerated() {
      let height = Double(count) / total * 10 * 130
      lines.append(
        "<rect x=\"\(560 + index * 28)\" y=\"\((340 - height).digits(1))\" width=\"24\" "
          + "height=\"\(height.digits(1))\" fill=\"#1746c0\" fill-opacity=\"0.7\"/>")
      lines.append(text("\(index + 1)", Double(572 + index * 28), 360, anchor: "middle"))
    }
    lines.append(line(556, 210, 844, 210))
    lines.append(text("10 %", 556, 204, anchor: "end"))
    return lines
  }

  private func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) -> String {
    "<line x1=\"\(x1.digits(1))\" y1=\"\(y1.digits(1))\" x2=\"\(x2.digits(1))\" "
      + "y2=\"\(y2.digits(1))\" stroke=\"#b9bec6\"/>"
  }

  private func text(
    _ text: String, _ x: Double, _ y: Double, anchor: String = "start", bold: Bool = false
  ) -> String {
    "<text x=\"\(x.digits(1))\" y=\"\(y.digits(1))\" text-anchor=\"\(anchor)\""
      + (bold ? " font-weight=\"600\"" : "") + ">\(text)</text>"
  }
}
