/// Replaces tiny samples at the input and output of the filters, so that no filter computes with
/// denormals.
///
/// Arithmetic on denormals takes up to a hundred times as long on many processors. At the input of
/// the filters, silence is replaced by a very quiet tone, the filler. The filler has half the
/// sample rate as its frequency and a level of −320 dB. The filler prevents decaying filter states
/// from becoming denormal. A constant value would not pass through band-pass filters. The sign of
/// the filler depends on the position of the frame, not on the block. At the output of the filters,
/// the filler is replaced by 0.
enum DenormalGuard {
  /// Input samples below this magnitude (−320 dB) are replaced by the filler, which has the values
  /// ± this magnitude.
  static let inputFloor: Float = 1e-16

  /// Output samples below this magnitude (−220 dB) become exactly 0.
  static let outputFloor: Float = 1e-11

  /// Energies of level detectors below this value count as 0.
  static let energyFloor: Float = 1e-24

  /// Input samples of the level detectors below this magnitude (−280 dB) are replaced by ± this
  /// magnitude. The value is greater than ``inputFloor``, because the detectors compute squares of
  /// samples. The differences of these squares must also be normal numbers.
  static let detectorFloor: Float = 1e-14

  /// The filler for the frame at `position`. The filler of the next frame has the opposite sign.
  static func filler(of floor: Float = inputFloor, at position: Int64) -> Float {
    position & 1 == 0 ? floor : -floor
  }
}
