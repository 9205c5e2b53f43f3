internal import HearingDSP
internal import HearingBuffers

/// The power spectrum of the last 32 ms of a signal with a sample rate of 8 kHz. The spectral lines
/// are 31.25 Hz apart.
///
/// The window is a Hann window of 256 samples. Powers are scaled so that their sum is the mean
/// square of the samples.
struct VoiceSpectrum: ~Copyable {
  /// The number of samples in the window.
  static let windowLength = 256

  private let window = OwnedRow<Float>.filled(0, count: windowLength)
  /// The samples multiplied by the window.
  private let samples = OwnedRow<Float>.filled(0, count: windowLength)
  private let spectrum = Spectra(stride: 132, count: 1)
  private let transform = RealTransform(length: windowLength)

  /// The power of each of the lines 0…127, `[line]`.
  let power = OwnedRow<Float>.filled(0, count: 128)

  init() {
    // The mean square of a Hann window is 3/8. Each line represents both a positive and a negative
    // frequency.
    let scale = (2 / (256 * 256 * 0.375)).squareRoot()
    for index in 0..<256 {
      let angle = 2 * .pi * (Double(index) + 0.5) / 256
      window[index] = Float(scale * (0.5 - 0.5 * CMath.cosine(angle)))
    }
  }

  /// Computes `power` from 256 samples.
  func analyze(_ sound: Row<Float>) {
    for index in vectors(Self.windowLength) {
      samples.setFloat4(sound.float4(at: index) * window.float4(at: index), at: index)
    }
    transform.forward(samples.row, to: spectrum)
    spectrum.writePower(to: power.row, count: power.count)
  }
}
