/// Fade curves.
package enum RaisedCosine {
  /// A raised cosine from 0 to 1 in `steps` steps: `steps` + 1 values, which the caller deallocates.
  package static func curve(steps: Int) -> UnsafeMutablePointer<Float> {
    let curve = UnsafeMutablePointer<Float>.allocate(capacity: steps + 1)
    for step in 0...steps {
      let share = (1 - Elementary.cosine(.pi * Double(step) / Double(steps))) / 2
      (curve + step).initialize(to: Float(share))
    }
    return curve
  }
}
