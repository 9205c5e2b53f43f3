/// Replaces tiny samples at the input and output of the filters, to prevent denormals in the
/// filters.
///
/// On many processors, arithmetic is up to a hundred times slower with denormals than with normal
/// numbers. At the input of the filters, silence is replaced by a very quiet tone. The level of the
/// quiet tone is −320 dB, and its frequency is half the sample rate. The quiet tone prevents
/// decaying filter states from becoming denormal. A constant offset would not prevent denormals,
/// because band-pass filters remove a constant offset. The sign of each sample of the quiet tone
/// depends only on the number of frames before the sample. Therefore the tone does not depend on
/// the block sizes. At the output of the filters, the quiet tone is replaced by 0.
enum DenormalGuard {
  /// The magnitude of the quiet tone that replaces silence (−320 dB). Input samples with a smaller
  /// magnitude are replaced by the quiet tone.
  static let inputFloor: Float = 1e-16

  /// Output samples of the filters with a magnitude below −220 dB become exactly 0.
  static let outputFloor: Float = 1e-11

  /// In a level detector, an energy below 10⁻²⁴ counts as 0.
  static let energyFloor: Float = 1e-24

  /// The magnitude of the quiet tone that replaces silence at the input of the level detectors
  /// (−280 dB). Input samples with a smaller magnitude are replaced by the quiet tone. The
  /// detectors compute differences of squared samples. The differences must not be denormal.
  /// Therefore the magnitude is greater than ``inputFloor``.
  static let detectorFloor: Float = 1e-14

  /// A sample of the quiet tone that replaces silence. The parameter `position` is the number of
  /// frames before the sample. The sign of the tone alternates from sample to sample.
  static func filler(of floor: Float = inputFloor, at position: Int64) -> Float {
    position & 1 == 0 ? floor : -floor
  }
}
