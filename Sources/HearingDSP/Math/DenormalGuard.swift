/// Replaces tiny samples at the input and output of the filters, so that no filter computes with
/// denormals.
///
/// On many processors, arithmetic is up to a hundred times slower with denormals than with normal
/// numbers. At the input of the filters, silence is replaced by a very quiet tone, the filler. The
/// frequency of the filler is half the sample rate. The level of the filler is −320 dB. The filler
/// prevents decaying filter states from becoming denormal. A constant filler would not pass through
/// band-pass filters. The sign of the filler depends only on the position of the frame in the
/// stream. At the output of the filters, the filler is replaced by 0.
enum DenormalGuard {
  /// The magnitude of the filler (−320 dB). Input samples below the magnitude of the filler are
  /// replaced by the filler.
  static let inputFloor: Float = 1e-16

  /// The magnitude (−220 dB) below which output samples become exactly 0.
  static let outputFloor: Float = 1e-11

  /// The value below which energies of level detectors count as 0.
  static let energyFloor: Float = 1e-24

  /// The magnitude of the filler for the level detectors (−280 dB). Detector input samples below
  /// the magnitude of the filler are replaced by the filler. The magnitude for detectors is greater
  /// than ``inputFloor``, because the detectors compute differences of squared samples, which must
  /// also be normal numbers.
  static let detectorFloor: Float = 1e-14

  /// The filler for the frame at `position`. The filler of the next frame has the opposite sign.
  static func filler(of floor: Float = inputFloor, at position: Int64) -> Float {
    position & 1 == 0 ? floor : -floor
  }
}
