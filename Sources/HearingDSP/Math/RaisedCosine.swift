package import HearingBuffers

/// Fade curves, computed on the control side.
package enum RaisedCosine {
  /// A raised cosine from 0 to 1 in `steps` steps: `steps` + 1 values.
  package static func curve(steps: Int) -> OwnedRow<Float> {
    OwnedRow(count: steps + 1) { step in
      let share = (1 - CMath.cosine(.pi * Double(step) / Double(steps))) / 2
      return Float(share)
    }
  }

  /// A rise from 0 to 1 in `steps` steps whose slope is a raised cosine: `steps` + 1 values.
  ///
  /// The spectrum of a gain that moves along it falls by 24 dB an octave; the spectrum of one that
  /// moves along a raised cosine falls by 18 dB.
  static func integral(steps: Int) -> OwnedRow<Float> {
    OwnedRow(count: steps + 1) { step in
      let turn = 2 * Double.pi * Double(step) / Double(steps)
      let share = (turn - CMath.cosine(turn - .pi / 2)) / (2 * .pi)
      return Float(share)
    }
  }
}
