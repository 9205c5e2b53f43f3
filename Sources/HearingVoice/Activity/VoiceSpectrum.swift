internal import HearingDSP

/// The power spectrum of the last 32 ms at 8 kHz, 31.25 Hz a line.
///
/// 256 samples under a Hann window. Powers are scaled so that their sum is the mean square.
///
/// A value of pointers; whoever creates it calls `deallocate()` and frees the store.
struct VoiceSpectrum {
  /// Samples that are looked at.
  static var windowLength: Int {
    @_noLocks @_noAllocation @inline(__always) get { 256 }
  }

  /// Numbers that are kept.
  static var storage: Int { 256 + 256 + 132 + 132 + 128 }

  private let window: UnsafeMutablePointer<Float>
  /// The samples under the window.
  private let samples: UnsafeMutablePointer<Float>
  private let real: UnsafeMutablePointer<Float>
  private let imaginary: UnsafeMutablePointer<Float>
  private let transform: RealTransform

  /// Power of line k at place k, 0…127.
  let power: UnsafeMutablePointer<Float>

  init(store: inout FloatStore) {
    window = store.take(256)
    samples = store.take(256)
    real = store.take(132)
    imaginary = store.take(132)
    power = store.take(128)
    transform = RealTransform(length: Self.windowLength)
    // Power of a Hann window: 3/8; both sides of the spectrum.
    let scale = (2 / (256 * 256 * 0.375)).squareRoot()
    for index in 0..<256 {
      let place = 2 * .pi * (Double(index) + 0.5) / 256
      window[index] = Float(scale * (0.5 - 0.5 * Elementary.cosine(place)))
    }
  }

  func deallocate() { transform.deallocate() }

  /// Computes the powers of 256 samples.
  @_noLocks @_noAllocation
  func analyze(_ sound: UnsafeMutablePointer<Float>) {
    var index = 0
    while index < Self.windowLength {
      samples.setFloat4(sound.float4(at: index) * window.float4(at: index), at: index)
      index += 4
    }
    transform.forward(samples, real: real, imaginary: imaginary)
    var line = 0
    while line < Self.windowLength / 2 {
      let (x, y) = (real.float4(at: line), imaginary.float4(at: line))
      power.setFloat4(x * x + y * y, at: line)
      line += 4
    }
  }
}
