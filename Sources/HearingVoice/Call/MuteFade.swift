internal import HearingDSP

/// Fades a microphone out to digital silence and in again. Render side.
///
/// A value of a pointer; whoever creates it calls `deallocate()`.
struct MuteFade {
  /// Where the fade goes.
  var isMuted = false

  /// A raised cosine from 0 to 1.
  private let curve: UnsafeMutablePointer<Float>
  private let length: Int
  /// The place on the curve: 0 is silence.
  private var place: Int

  /// An open microphone; a fade takes 15 ms.
  init(sampleRate: Double) {
    length = Int((0.015 * sampleRate).rounded())
    curve = RaisedCosine.curve(steps: length)
    place = length
  }

  func deallocate() { curve.deallocate() }

  /// Is muted or open at once.
  @_noLocks @_noAllocation
  mutating func settle() {
    place = isMuted ? 0 : length
  }

  /// Fades samples in place.
  @_noLocks @_noAllocation
  mutating func process(_ samples: UnsafeMutablePointer<Float>, count: Int) {
    var index = 0
    while index < count && place != (isMuted ? 0 : length) {
      place += isMuted ? -1 : 1
      samples[index] *= curve[place]
      index += 1
    }
    guard isMuted else { return }
    while index < count {
      samples[index] = 0
      index += 1
    }
  }
}
