/// An error of validation that knows the place of the value and the reason apart from each other,
/// so that a document that holds the value can put its own place in front.
package protocol PlacedReason: Error {
  /// Where the value stands in what was validated, such as "gains[2][5]"; empty: all of it.
  var place: String { get }

  /// What is wrong there, without the place.
  var reason: String { get }
}
