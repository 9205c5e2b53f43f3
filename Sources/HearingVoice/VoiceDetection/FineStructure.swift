internal import HearingDSP
internal import HearingBuffers

/// The fine structure of a logarithmic spectrum. The fine structure is the deviation of each line
/// from the mean over a band of eight lines. The fine structure shows the spectral lines of a
/// periodic signal.
///
/// The pitch of a voice changes after a short time. Spectral lines that are constant for longer
/// belong to music or hum.
struct FineStructure: ~Copyable {
  /// The number of lines of a spectrum.
  private static let lineCount = 128
  /// The number of spectra in the history.
  private static let depth = 8
  /// The first line of the range above 1 kHz.
  private static let divide = 32

  private let spectra = OwnedRow<Float>.filled(0, count: lineCount * depth)
  /// The energy of the fine structure of each spectrum, separately below and above 1 kHz.
  private let squares = OwnedRow<Float>.filled(0, count: 2 * depth)
  private var newest = 0

  mutating func reset() {
    spectra.fill(0)
    squares.fill(0)
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
    // Subtracts the mean of eight lines, which cover 250 Hz together. The last band has four lines.
    for line in stride(from: 4, to: 120, by: 8) {
      let isLast = line == 116
      let first = spectrum.float4(at: line)
      let second = isLast ? first : spectrum.float4(at: line + 4)
      let mean = (first + second).sum() * 0.125
      spectrum.setFloat4(first - mean, at: line)
      if !isLast { spectrum.setFloat4(second - mean, at: line + 4) }
    }
    squares[2 * newest] = product(spectrum, spectrum, 0, Self.divide)
    squares[2 * newest + 1] = product(spectrum, spectrum, Self.divide, Self.lineCount)
  }

  /// The variance of the fine structure, separately below and above 1 kHz. The fine structure is a
  /// logarithm to base 2.
  var depths: (low: Float, high: Float) {
    (squares[2 * newest] * (1 / 28), squares[2 * newest + 1] * (1 / 88))
  }

  /// The correlation of the current fine structure with the fine structure of an earlier spectrum,
  /// separately below and above 1 kHz.
  ///
  /// - Parameter age: The age of the earlier spectrum in frames, 1…7.
  func persistence(age: Int) -> (low: Float, high: Float) {
    let other = (newest + Self.depth - age) % Self.depth
    let now = spectra.from(newest * Self.lineCount)
    let then = spectra.from(other * Self.lineCount)
    let low = product(now, then, 0, Self.divide)
    let high = product(now, then, Self.divide, Self.lineCount)
    let norms = Float4(
      squares[2 * newest] * squares[2 * other],
      squares[2 * newest + 1] * squares[2 * other + 1], 0, 0)
    let roots = ((norms + 1).binaryLogarithm * -0.5).powerOfTwo
    return (low * roots[0], high * roots[1])
  }

  private func product(
    _ one: Row<Float>, _ other: Row<Float>, _ first: Int,
    _ last: Int
  ) -> Float {
    var sum = Float4.zero
    for line in stride(from: first, to: last, by: 4) {
      sum += one.float4(at: line) * other.float4(at: line)
    }
    return sum.sum()
  }
}
