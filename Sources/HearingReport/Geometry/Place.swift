/// A point of a picture, in its units: x to the right, y downwards.
struct Place: Sendable, Equatable {
  var x: Double
  var y: Double
}
