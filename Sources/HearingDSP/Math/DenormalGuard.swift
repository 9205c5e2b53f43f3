/// Replaces tiny samples at the input and at the output, so that no filter computes with denormals.
///
/// Arithmetic on denormals takes up to a hundred times as long on many processors. At the input of
/// the filters, silence is replaced by a filler: a tone of −320 dB at half the sample rate, which
/// keeps every decaying state in the normal range. A constant would vanish in band-passes. The sign
/// of the filler depends on the position of the frame, not on the blocks. At the output, it is
/// replaced by 0.
enum DenormalGuard {
  /// Input below this magnitude is replaced by the filler, ± this value.
  static let inputFloor: Float = 1e-16

  /// Output below this magnitude (−220 dB) becomes exactly 0.
  static let outputFloor: Float = 1e-11

  /// Energies of level detectors below this value count as 0.
  static let energyFloor: Float = 1e-24

  /// Input of the level detectors below this magnitude is replaced by a filler of this magnitude.
  /// It is above ``inputFloor``, because detectors square samples, and the differences of squares
  /// must be normal numbers, too.
  static let detectorFloor: Float = 1e-14

  /// The filler for the frame at `position`; the next frame has the opposite sign.
  static func filler(of floor: Float = inputFloor, at position: Int64) -> Float {
    position & 1 == 0 ? floor : -floor
  }
}
