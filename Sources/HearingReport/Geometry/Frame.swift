/// An upright rectangle of a picture.
struct Frame: Sendable, Equatable {
  var left: Double
  var top: Double
  var width: Double
  var height: Double

  var right: Double { left + width }
  var bottom: Double { top + height }
  var center: Place { Place(x: left + width / 2, y: top + height / 2) }
}
