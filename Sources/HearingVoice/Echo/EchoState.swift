internal import HearingDSP

/// All that a canceller owns, in flat memory.
///
/// Only one thread at a time may use it. A value of pointers and counters; whoever creates it calls
/// `deallocate()`.
struct EchoState {
  let plan: EchoPlan
  let transform: RealTransform
  var history: ReferenceHistory
  var room: RoomFilter
  var shadow: ShadowFilter
  var residual = ResidualEstimate()
  var paths = PathComparison()

  /// The block before and the block under way of the reference.
  let reference: UnsafeMutablePointer<Float>

  /// The block under way of the microphone.
  let microphone: UnsafeMutablePointer<Float>

  /// A silent block, and what the filter leaves of the block under way.
  let error: UnsafeMutablePointer<Float>

  /// The first block of the room's response, last sample first.
  let head: UnsafeMutablePointer<Float>

  /// Two blocks of which the second is the echo in the block under way from blocks before it.
  let tail: UnsafeMutablePointer<Float>

  /// Room to work in: two blocks of samples, and two spectra.
  let samples: UnsafeMutablePointer<Float>
  let errorSpectrum: Spectra
  let echoSpectrum: Spectra

  /// Frames of the block under way that are there.
  var filled = 0

  /// How much of the echo is taken out: at the end of the block before, and of this one.
  var share: Float = 1
  var nextShare: Float = 1

  /// Sums of squares over the block under way.
  var echoEnergy: Float = 0
  var outputEnergy: Float = 0

  /// Forgets the room and all sound.
  @_noLocks @_noAllocation
  mutating func clear() {
    history.clear()
    room.clear()
    shadow.clear()
    paths = PathComparison()
    residual = ResidualEstimate()
    for index in 0..<2 * plan.block {
      reference[index] = 0
      error[index] = 0
      tail[index] = 0
    }
    for index in 0..<plan.block {
      microphone[index] = 0
      head[index] = 0
    }
    filled = 0
    share = 1
    nextShare = 1
    echoEnergy = 0
    outputEnergy = 0
  }
}
