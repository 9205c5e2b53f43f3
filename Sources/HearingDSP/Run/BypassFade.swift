/// The position of the cross-fade between the untouched input and the processed sound.
struct BypassFade: BitwiseCopyable {
  /// Frames of a whole fade.
  let length: Int

  /// Place on the fade's curve: 0 is bypass, ``length`` is processed.
  private(set) var position = 0

  /// Whether the fade goes, or has gone, towards the processed sound.
  var isEnabled = false

  @_noLocks @_noAllocation @inline(__always)
  init(length: Int) {
    self.length = length
  }

  /// Whether the untouched input is part of the output.
  var isFading: Bool {
    @_noLocks @_noAllocation @inline(__always) get { position < length || !isEnabled }
  }

  /// Whether the output is the untouched input alone.
  var isBypassed: Bool {
    @_noLocks @_noAllocation @inline(__always) get { !isEnabled && position == 0 }
  }

  /// Frames until the fade under way ends; nil if none is.
  var remaining: Int? {
    @_noLocks @_noAllocation @inline(__always) get {
      if isEnabled { return position < length ? length - position : nil }
      return position > 0 ? position : nil
    }
  }

  /// Starts without a fade.
  @_noLocks @_noAllocation @inline(__always)
  mutating func begin(isEnabled: Bool) {
    self.isEnabled = isEnabled
    position = isEnabled ? length : 0
  }

  /// Moves on by `count` frames.
  @_noLocks @_noAllocation @inline(__always)
  mutating func advance(_ count: Int) {
    position = isEnabled ? min(position + count, length) : max(position - count, 0)
  }
}
