internal import HearingDSP
internal import HearingBuffers

/// The fine structure of a logarithmic spectrum. Each band has eight spectral lines. The fine
/// structure is the deviation of each line from the mean of all lines in the same band. The fine
/// structure shows the harmonics of a periodic signal.
///
/// The pitch of a voice changes after a short time. Harmonics that stay constant for a longer time
/// belong to music or hum.
struct FineStructure: ~Copyable {
  /// The number of spectral lines in a spectrum.
  private static let lineCount = 128
  /// The number of spectra in the history.
  private static let depth = 8
  /// The index of the first spectral line in the range above 1 kHz.
  private static let divide = 32

  private let spectra = OwnedRow<Float>.filled(0, count: lineCount * depth)
  /// Two values per spectrum: the energy of the fine structure below 1 kHz, and the energy above 1
  /// kHz.
  private let squares = OwnedRow<SIMD2<Float>>.filled(.zero, count: depth)
  private var newest = 0

  mutating func reset() {
    spectra.fill(0)
    squares.fill(.zero)
    newest = 0
  }

  /// Adds a power spectrum.
  mutating func add(_ power: Row<Float>) {
    newest = (newest + 1) % Self.depth
    let spectrum = spectra.from(newest * Self.lineCount)
    // The first four lines and the last eight lines are always 0.
    for line in stride(from: 4, to: 120, by: 4) {
      spectrum.setFloat4((power.float4(at: line) + 1e-12).binaryLogarithm, at: line)
    }
    // Subtracts the mean of each band of eight lines (250 Hz). The last band has four lines.
    for line in stride(from: 4, to: 120, by: 8) {
      let isLast = line == 116
      let first = spectrum.float4(at: line)
      let second = isLast ? first : spectrum.float4(at: line + 4)
      let mean = (first + second).sum() * 0.125
      spectrum.setFloat4(first - mean, at: line)
      if !isLast { spectrum.setFloat4(second - mean, at: line + 4) }
    }
    squares[newest] = product(newest, newest)
  }

  /// Two variances: the variance of the fine structure below 1 kHz, and the variance of the fine
  /// structure above 1 kHz. The fine structure is a logarithm to base 2.
  var depths: SIMD2<Float> { squares[newest] * SIMD2(1 / 28, 1 / 88) }

  /// The correlation of the current fine structure with the fine structure of an earlier spectrum.
  /// The first value is for frequencies below 1 kHz, and the second value is for frequencies above
  /// 1 kHz.
  ///
  /// - Parameter age: The age of the earlier spectrum in frames, 1…7.
  func persistence(age: Int) -> SIMD2<Float> {
    let other = (newest + Self.depth - age) % Self.depth
    let norms = Float4(lowHalf: squares[newest] * squares[other], highHalf: .zero)
    let roots = ((norms + 1).binaryLogarithm * -0.5).powerOfTwo
    return product(newest, other) * roots.lowHalf
  }

  /// Two inner products of two spectra: the inner product below 1 kHz, and the inner product above
  /// 1 kHz.
  private func product(_ one: Int, _ other: Int) -> SIMD2<Float> {
    let (one, other) = (spectra.from(one * Self.lineCount), spectra.from(other * Self.lineCount))
    let high = one.from(Self.divide).product(
      other.from(Self.divide), count: Self.lineCount - Self.divide)
    return SIMD2(one.product(other, count: Self.divide), high)
  }
}
