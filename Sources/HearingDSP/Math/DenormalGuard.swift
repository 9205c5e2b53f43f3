/// Ends denormals where sound comes in and goes out, so that no filter computes with them.
///
/// Arithmetic on denormals costs up to a hundred times as much on many processors. Silence at the
/// input of the filters is a tone at half the sample rate of −320 dB, which keeps every decaying state
/// in the normal range; a constant would vanish in band-passes. Its sign depends on the position of the
/// frame, not on the blocks. At the output it is silence again.
enum DenormalGuard {
  /// Input below this magnitude is replaced by the filler, ± this value.
  static let inputFloor: Float = 1e-16

  /// Output below this magnitude (−220 dB) becomes exactly 0.
  static let outputFloor: Float = 1e-11

  /// Energies of level detectors below this value count as 0.
  static let energyFloor: Float = 1e-24

  /// Level detectors hear sound below this magnitude as a filler of this magnitude: they square it, and
  /// the differences of squares have to be normal numbers as well.
  static let detectorFloor: Float = 1e-14

  /// The filler for the frame at `position`; the next frame has the opposite sign.
  static func filler(of floor: Float = inputFloor, at position: Int64) -> Float {
    position & 1 == 0 ? floor : -floor
  }
}
