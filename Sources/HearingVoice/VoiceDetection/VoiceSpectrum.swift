internal import HearingBuffers

/// The power spectrum of the last 32 ms of a signal at 8 kHz. The spectral lines are 31.25 Hz
/// apart.
///
/// The window is a Hann window of 256 samples. The powers are scaled so that the sum of all powers
/// is the mean square of the samples.
struct VoiceSpectrum: ~Copyable {
  /// The number of samples in the window.
  static let windowLength = 256

  private let transform: SpectrumAnalyzer
  private let spectrum = Spectra(stride: 132, count: 1)

  /// The power of each of the lines 0…127.
  let power = OwnedRow<Float>.filled(0, count: 128)

  init() {
    let length = Self.windowLength
    // The mean square of a Hann window is 3/8. Each line represents both a positive and a negative
    // frequency.
    let scale = (2 / (256 * 256 * 0.375)).squareRoot()
    transform = SpectrumAnalyzer(
      OwnedRow(count: length) { Float(scale * SpectrumAnalyzer.hann(length, index: $0)) },
      size: length)
  }

  /// Computes `power` from 256 samples.
  func analyze(_ sound: Row<Float>) {
    transform.analyze(sound, to: spectrum)
    spectrum.writePower(to: power.row, count: power.count)
  }
}
