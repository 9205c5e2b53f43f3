/// The position of the cross-fade between the untouched input and the processed sound.
struct BypassFade: BitwiseCopyable {
  /// Frames of a whole fade.
  let length: Int

  /// The position on the fade's curve: 0 is bypass, ``length`` is processed.
  private(set) var position = 0

  /// Whether the fade goes towards the processed sound, or has reached it.
  var isEnabled = false

  @inline(__always)
  init(length: Int) {
    self.length = length
  }

  /// Whether the untouched input is part of the output.
  var isFading: Bool {
    @inline(__always) get { position < length || !isEnabled }
  }

  /// Whether the output is the untouched input alone.
  var isBypassed: Bool {
    @inline(__always) get { !isEnabled && position == 0 }
  }

  /// The number of frames until the current fade ends; nil if there is no fade.
  var remaining: Int? {
    @inline(__always) get {
      if isEnabled { return position < length ? length - position : nil }
      return position > 0 ? position : nil
    }
  }

  /// Starts without a fade.
  @inline(__always)
  mutating func begin(isEnabled: Bool) {
    self.isEnabled = isEnabled
    position = isEnabled ? length : 0
  }

  /// Advances by `count` frames.
  @inline(__always)
  mutating func advance(_ count: Int) {
    position = isEnabled ? min(position + count, length) : max(position - count, 0)
  }
}
