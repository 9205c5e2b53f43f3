internal import HearingDSP
internal import HearingBuffers

/// Finds the delay from loudspeaker to microphone, 0…500 ms.
///
/// Both signals are decimated to about 4 kHz. Every 128 ms, the last 0.5 s of the microphone signal
/// are correlated with the last second of the reference. The correlation uses the phase transform
/// (C. Knapp & G. Carter, IEEE Transactions on Acoustics, Speech and Signal Processing 24, 1976)
/// and is averaged over about 0.6 s. A delay is accepted after it has been the clear maximum in
/// three consecutive correlations.
struct DelaySearch: ~Copyable {
  /// The measured delay in samples; nil before a delay has been accepted.
  private(set) var delay: Int?

  /// The reason why the echo is outside the search range. Not nil after the clear maximum of the
  /// correlation has been outside the search range for a second.
  private(set) var outside: EchoReport.Problem?

  private let factor: Int
  private let transform = RealTransform(length: length)
  private let microphone = OwnedRow<Float>.filled(0, count: length)
  private let reference = OwnedRow<Float>.filled(0, count: length)
  private let scratch = OwnedRow<Float>.filled(0, count: length)
  /// Four spectra: the microphone signal, the reference, their averaged cross-spectrum, and the
  /// bins of the cross-spectrum that the search uses.
  private let spectra = Spectra(stride: stride, count: 4)
  private let bins: SIMD2<Int32>

  /// The sums of microphone and reference samples for the current decimated sample.
  private var sums = SIMD2<Float>.zero
  /// The number of samples in `sums`.
  private var phase = 0
  /// The number of decimated samples since the last correlation.
  private var count = 0
  private var candidate = 0
  private var agreements = 0
  private var outsideCandidate = 0
  private var outsideAgreements = 0

  private static let length = 4_096
  private static let hop = 512
  private static let stride = 2_052

  init(sampleRate: Double) {
    factor = Int(sampleRate / 4_000)
    // The search uses 150…1700 Hz. Above this range, the aliasing of the decimation is too strong.
    let width = sampleRate / Double(factor) / Double(Self.length)
    bins = SIMD2(Int32(150 / width), Int32(1_700 / width))
  }

  /// The delay in samples at which the last two correlations agree on a clear maximum; nil if they
  /// do not agree.
  var tentativeDelay: Int? { agreements > 1 ? candidate * factor : nil }

  /// The maximum delay in samples.
  var maximumDelay: Int { Self.length / 2 * factor }

  mutating func reset() {
    microphone.fill(0)
    reference.fill(0)
    spectra.clear()
    delay = nil
    (sums, phase, count, candidate, agreements) = (.zero, 0, 0, 0, 0)
    (outside, outsideCandidate, outsideAgreements) = (nil, 0, 0)
  }

  /// Adds samples of the microphone signal and of the reference.
  mutating func add(
    microphone samples: Row<Float>, reference played: Row<Float>, count: Int
  ) {
    let start = Self.length - Self.hop
    for index in 0..<count {
      sums += SIMD2(samples[index], played[index])
      phase += 1
      guard phase == factor else { continue }
      phase = 0
      microphone[start + self.count] = sums[0]
      reference[start + self.count] = sums[1]
      sums = .zero
      self.count += 1
      guard self.count == Self.hop else { continue }
      self.count = 0
      correlate()
      for index in 0..<start {
        microphone[index] = microphone[index + Self.hop]
        reference[index] = reference[index + Self.hop]
      }
    }
  }

  /// Correlates the newest samples and searches for the maximum.
  private mutating func correlate() {
    let half = Self.length / 2
    var energy: Float = 0
    for index in 0..<half { energy += reference[half + index] * reference[half + index] }
    // Below −80 dBFS, playback counts as silence.
    let scale = Float(factor * factor * half)
    guard energy > 1e-8 * scale else { return }
    for index in 0..<half {
      scratch[index] = 0
      scratch[half + index] = microphone[half + index]
    }
    let (real, imaginary) = (spectra.real.row, spectra.imaginary.row)
    let stride = Self.stride
    transform.forward(scratch.row, to: spectra, 0)
    transform.forward(reference.row, to: spectra, 1)
    let (average, copy) = (2 * stride, 3 * stride)
    for bin in vectors(stride) {
      let (x, y) = (real.float4(at: bin), imaginary.float4(at: bin))
      let (u, v) = (real.float4(at: stride + bin), imaginary.float4(at: stride + bin))
      let (re, im) = (x * u + y * v, y * u - x * v)
      // The division by the magnitude leaves only the phase.
      let weight = ((re * re + im * im + 1e-24).binaryLogarithm * -0.5).powerOfTwo * 0.2
      let a = real.float4(at: average + bin) * 0.8 + re * weight
      let b = imaginary.float4(at: average + bin) * 0.8 + im * weight
      real.setFloat4(a.flushingDenormals, at: average + bin)
      imaginary.setFloat4(b.flushingDenormals, at: average + bin)
    }
    for bin in 0..<stride {
      let isUsed = bin >= Int(bins[0]) && bin < Int(bins[1])
      real[copy + bin] = isUsed ? real[average + bin] : 0
      imaginary[copy + bin] = isUsed ? imaginary[average + bin] : 0
    }
    transform.inverse(spectra, 3, to: scratch.row)
    choose()
  }

  private mutating func choose() {
    let last = Self.length / 2
    var (best, bestLag): (Float, Int) = (0, 0)
    var energy: Float = 0
    for lag in 0...last {
      energy += scratch[lag] * scratch[lag]
      if scratch[lag] > best {
        best = scratch[lag]
        bestLag = lag
      }
    }
    chooseOutside(inside: best, energy: energy)
    // A clear maximum exceeds seven times the root mean square over all lags.
    guard best * best * Float(last) > 49 * energy else {
      agreements = 0
      return
    }
    agreements = abs(bestLag - candidate) <= 4 ? agreements + 1 : 1
    candidate = bestLag
    if agreements >= 3 { delay = bestLag * factor }
  }

  /// Searches for a maximum outside the search range. The correlation is circular, so the lag
  /// `length` − `k` is ambiguous: the echo is either `k` samples earlier than the reference, or
  /// `length` − `k` samples later.
  private mutating func chooseOutside(inside: Float, energy: Float) {
    var (best, bestLag, energy) = (inside, 0, energy)
    // An echo up to 1 ms before the reference does not count as outside.
    for lag in Self.length / 2 + 1..<Self.length - 4 {
      energy += scratch[lag] * scratch[lag]
      if scratch[lag] > best { (best, bestLag) = (scratch[lag], lag) }
    }
    guard bestLag > 0, best * best * Float(Self.length) > 49 * energy else {
      (outside, outsideAgreements) = (nil, 0)
      return
    }
    outsideAgreements = abs(bestLag - outsideCandidate) <= 4 ? outsideAgreements + 1 : 1
    outsideCandidate = bestLag
    guard outsideAgreements >= 8 else {
      outside = nil
      return
    }
    let early = Self.length - bestLag
    let isLate =
      similarity(from: Self.length / 2, to: bestLag, shift: early)
      > similarity(from: bestLag, to: Self.length, shift: -bestLag)
    outside = isLate ? .referenceIsLate : .delayIsTooLong
  }

  /// The squared correlation coefficient of the microphone signal and the shifted reference, 0…1.
  private func similarity(from start: Int, to end: Int, shift: Int) -> Float {
    var (product, heard, played): (Float, Float, Float) = (0, 1e-12, 1e-12)
    for index in start..<end {
      let (x, y) = (microphone[index], reference[index + shift])
      product += x * y
      heard += x * x
      played += y * y
    }
    return product * product / (heard * played)
  }
}
