package import HearingBuffers

/// The position of a cross-fade between two signals, such as a stage's input and its output.
///
/// A plain value: the owner keeps the curve of the fade, ``length`` + 1 gains of the second signal.
@usableFromInline package struct CrossFade: BitwiseCopyable {
  /// Frames of a whole fade.
  @usableFromInline package let length: Int

  /// The position on the curve: 0 is the first signal alone, ``length`` the second one.
  @usableFromInline package var position: Int

  /// Whether the fade goes towards the second signal, or has reached it.
  @usableFromInline package var isOn: Bool

  /// Starts without a fade.
  @inlinable package init(length: Int, isOn: Bool = false) {
    self.length = length
    self.isOn = isOn
    position = isOn ? length : 0
  }

  /// Whether the output is the first signal alone.
  @inlinable package var isOff: Bool { !isOn && position == 0 }

  /// Whether the output is the second signal alone.
  @inlinable package var isComplete: Bool { isOn && position == length }

  /// The number of frames until the current fade ends; nil if there is no fade.
  @inlinable package var remaining: Int? {
    let frames = isOn ? length - position : position
    return frames > 0 ? frames : nil
  }

  /// Ends the fade at once.
  @inlinable package mutating func settle(isOn: Bool) {
    self = CrossFade(length: length, isOn: isOn)
  }

  /// Advances by `count` frames.
  @inlinable package mutating func advance(_ count: Int = 1) {
    position = isOn ? min(position + count, length) : max(position - count, 0)
  }
}

/// Curves of cross-fades, computed on the control side.
extension CrossFade {
  /// A raised cosine from 0 to 1.
  package var raisedCosine: OwnedRow<Float> {
    let steps = Double(length)
    return OwnedRow(count: length + 1) { step in
      Float((1 - CMath.cosine(.pi * Double(step) / steps)) / 2)
    }
  }

  /// A rise from 0 to 1 whose slope is a raised cosine.
  ///
  /// The spectrum of a gain that moves along it falls by 24 dB an octave; the spectrum of one that
  /// moves along a raised cosine falls by 18 dB.
  var raisedCosineIntegral: OwnedRow<Float> {
    let steps = Double(length)
    return OwnedRow(count: length + 1) { step in
      let angle = 2 * Double.pi * Double(step) / steps
      return Float((angle - CMath.cosine(angle - .pi / 2)) / (2 * .pi))
    }
  }
}
