package import HearingBuffers

/// The progress of a cross-fade between two signals, for example between the input and the output
/// of a filter.
///
/// The owner of the cross-fade stores the fade curve. For each position from 0 to ``length``, the
/// fade curve contains the gain of the second signal.
@usableFromInline package struct CrossFade: BitwiseCopyable {
  /// The number of frames in a complete cross-fade.
  @usableFromInline package let length: Int

  /// The position on the fade curve. At position 0, the output is the first signal. At position
  /// ``length``, the output is the second signal.
  @usableFromInline package var position: Int

  /// The direction of the fade: true towards the second signal, and false towards the first signal.
  @usableFromInline package var isOn: Bool

  /// Creates a cross-fade in a final state: no fade is in progress. The output is the second signal
  /// if `isOn` is true, and the first signal if `isOn` is false.
  @inlinable package init(length: Int, isOn: Bool = false) {
    self.length = length
    self.isOn = isOn
    position = isOn ? length : 0
  }

  /// Whether the output is only the first signal.
  @inlinable package var isOff: Bool { !isOn && position == 0 }

  /// Whether the output is only the second signal.
  @inlinable package var isComplete: Bool { isOn && position == length }

  /// The number of frames until the current fade ends. Nil if no fade is in progress.
  @inlinable package var remaining: Int? {
    let frames = isOn ? length - position : position
    return frames > 0 ? frames : nil
  }

  /// Ends the fade immediately. After the call, the output is the second signal if `isOn` is true,
  /// and the first signal if `isOn` is false.
  @inlinable package mutating func settle(isOn: Bool) {
    self = CrossFade(length: length, isOn: isOn)
  }

  /// Advances the cross-fade by `count` frames.
  @inlinable package mutating func advance(_ count: Int = 1) {
    position = isOn ? min(position + count, length) : max(position - count, 0)
  }
}

/// Curves for cross-fades. Do not compute a curve on the audio thread.
extension CrossFade {
  /// A raised cosine from 0 to 1.
  package var raisedCosine: OwnedRow<Float> {
    let steps = Double(length)
    return OwnedRow(count: length + 1) { step in
      Float((1 - CMath.cosine(.pi * Double(step) / steps)) / 2)
    }
  }

  /// A curve from 0 to 1: the integral of a raised cosine.
  ///
  /// The spectrum of this curve falls by 24 dB per octave. The spectrum of a raised cosine falls by
  /// only 18 dB per octave.
  var raisedCosineIntegral: OwnedRow<Float> {
    let steps = Double(length)
    return OwnedRow(count: length + 1) { step in
      let angle = 2 * Double.pi * Double(step) / steps
      return Float((angle - CMath.cosine(angle - .pi / 2)) / (2 * .pi))
    }
  }
}
