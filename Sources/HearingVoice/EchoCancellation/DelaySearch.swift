internal import HearingDSP
internal import HearingBuffers

/// Finds the delay from loudspeaker to microphone, 0…500 ms.
///
/// The microphone signal and the reference are decimated to a sample rate of about 4 kHz. The
/// search range must be at least 0.5 s. Therefore the rate is at most 4096 Hz. Every 128 ms, the
/// last 0.5 s of the microphone signal are correlated with the last second of the reference. The
/// correlation uses the phase transform (Knapp & Carter, IEEE Transactions on Acoustics, Speech and
/// Signal Processing 24, 1976). The correlation is averaged over about 0.6 s. A delay is accepted
/// if three consecutive correlations have a clear maximum at this delay.
///
/// An echo without direct sound causes no clear maximum. In this case, much of the energy of the
/// correlation lies in a window of 40 ms after the delay. Therefore the search also finds the
/// window of 40 ms with the most energy. If no delay has been accepted yet and five consecutive
/// correlations agree on the start of this window, the start is accepted as the delay.
struct DelaySearch: ~Copyable {
  /// The measured delay in samples, or nil until a delay has been accepted.
  private(set) var delay: Int?

  /// The problem to report, or nil. There is a problem if the echo has been outside the search
  /// range of 0…500 ms for at least a second.
  private(set) var outside: EchoReport.Problem?

  private let factor: Int
  private let transform = RealTransform(length: length)
  private let microphone = OwnedRow<Float>.filled(0, count: length)
  private let reference = OwnedRow<Float>.filled(0, count: length)
  private let scratch = OwnedRow<Float>.filled(0, count: length)
  /// Three spectra: the microphone signal, the reference, and the averaged cross-spectrum of these
  /// two signals. The cross-spectrum is 0 outside `bins`.
  private let spectra = Spectra(stride: stride, count: 3)
  /// The range of bins that the search uses: the index of the first bin, and the index after the
  /// last bin.
  private let bins: SIMD2<Int32>

  /// Two sums for the current decimated sample: the sum of the microphone samples, and the sum of
  /// the reference samples.
  private var sums = SIMD2<Float>.zero
  /// The number of samples that have been added to `sums`.
  private var phase = 0
  /// The number of decimated samples since the last correlation.
  private var count = 0
  /// The lag of the maximum within the search range, and the number of correlations that agree on
  /// this lag.
  private var inner = Candidate()
  /// The lag of the maximum outside the search range, and the number of correlations that agree on
  /// this lag.
  private var outer = Candidate()
  /// The lag at the start of the 40 ms with the most energy, and the number of correlations that
  /// agree on this lag.
  private var spread = Candidate()

  /// A lag on which consecutive correlations agree.
  private struct Candidate {
    private(set) var lag = 0
    /// The number of consecutive correlations that agree on the lag.
    private(set) var agreements = 0

    mutating func add(_ lag: Int, tolerance: Int = 4) {
      agreements = abs(lag - self.lag) <= tolerance ? agreements + 1 : 1
      self.lag = lag
    }

    mutating func clear() { agreements = 0 }
  }

  private static let length = 4_096
  private static let hop = 512
  private static let stride = 2_052
  private static let fadeLength = 128

  init(sampleRate: Double) {
    factor = Int((sampleRate / 4_096).rounded(.up))
    // The search uses frequencies of 150…1700 Hz. Above 0.425 times the decimated sample rate, the
    // decimation causes too much aliasing. Therefore this frequency also limits the search.
    let width = sampleRate / Double(factor) / Double(Self.length)
    bins = SIMD2(Int32(150 / width), Int32(min(1_700 / width, 0.425 * Double(Self.length))))
  }

  /// The delay in samples on which the last two correlations agree, or nil if the two correlations
  /// do not agree.
  var tentativeDelay: Int? {
    if inner.agreements > 1 { return inner.lag * factor }
    return spread.agreements > 1 ? spread.lag * factor : nil
  }

  /// The upper limit of the search range, in samples.
  var maximumDelay: Int { Self.length / 2 * factor }

  mutating func reset() {
    microphone.fill(0)
    reference.fill(0)
    spectra.clear()
    (sums, phase, count, delay, outside) = (.zero, 0, 0, nil, nil)
    (inner, outer, spread) = (Candidate(), Candidate(), Candidate())
  }

  /// Adds samples of the microphone signal and of the reference.
  mutating func add(microphone samples: Row<Float>, reference played: Row<Float>, count: Int) {
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
      CallBlock.copy(microphone.from(Self.hop), to: microphone.row, count: start)
      CallBlock.copy(reference.from(Self.hop), to: reference.row, count: start)
    }
  }

  /// Correlates the newest samples and searches for the maximum of the correlation.
  private mutating func correlate() {
    let half = Self.length / 2
    let energy = reference.from(half).energy(count: half)
    // Below −80 dBFS, playback counts as silence.
    let scale = Float(factor * factor * half)
    guard energy > 1e-8 * scale else { return }
    scratch.fill(0)
    CallBlock.copy(microphone.from(half), to: scratch.from(half), count: half)
    transform.forward(scratch.row, to: spectra, 0)
    // The reference fades in and out. Without the fades, the start and the end of both signals
    // would correlate at a lag of half the transform length.
    CallBlock.copy(reference.row, to: scratch.row, count: Self.length)
    for index in 0..<Self.fadeLength {
      let gain = (Float(index) + 0.5) / Float(Self.fadeLength)
      scratch[index] *= gain
      scratch[Self.length - 1 - index] *= gain
    }
    transform.forward(scratch.row, to: spectra, 1)
    let average = 2 * Self.stride
    for bin in groupStarts(Self.stride) {
      let product = spectra.bins(at: Self.stride + bin).conjugate(times: spectra.bins(at: bin))
      // The division by the magnitude leaves only the phase of the cross-spectrum.
      let lanes = SIMD4<Int32>(0, 1, 2, 3) &+ Int32(bin)
      let weight = (((product.power + 1e-24).binaryLogarithm * -0.5).powerOfTwo * 0.2)
        .kept(where: (lanes .>= bins[0]) .& (lanes .< bins[1]))
      let mean = spectra.bins(at: average + bin) * Float4(repeating: 0.8) + product * weight
      spectra.real.setFloat4(mean.real.flushingDenormals, at: average + bin)
      spectra.imaginary.setFloat4(mean.imaginary.flushingDenormals, at: average + bin)
    }
    transform.inverse(spectra, 2, to: scratch.row)
    choose()
  }

  private mutating func choose() {
    let last = Self.length / 2
    var (best, energy) = ((value: Float(0), lag: 0), Float(0))
    find(&best, &energy, in: 0...last)
    chooseOutside(inside: best.value, energy: energy)
    // A maximum is clear if the maximum exceeds seven times the root mean square of the correlation
    // over all lags.
    if best.value * best.value * Float(last) > 49 * energy {
      inner.add(best.lag)
      spread.clear()
      if inner.agreements >= 3 { delay = best.lag * factor }
    } else {
      inner.clear()
      if delay == nil { chooseSpread(in: 0...last - 16) }
    }
  }

  /// Searches for the window of 40 ms in which the correlation has the most energy.
  ///
  /// In a test with 46 minutes of double talk without echo, this search never accepted a delay.
  private mutating func chooseSpread(in lags: ClosedRange<Int>) {
    let width = 160
    var (window, best) = (Float(0), (value: Float(0), lag: 0))
    for lag in 0..<width { window += scratch[lag] * scratch[lag] }
    var energy = window
    for lag in lags {
      if window > best.value { best = (window, lag) }
      let entering = scratch[lag + width] * scratch[lag + width]
      energy += entering
      window += entering - scratch[lag] * scratch[lag]
    }
    guard best.lag < lags.upperBound, best.value > 0.22 * energy else { return spread.clear() }
    spread.add(best.lag, tolerance: 16)
    if spread.agreements >= 5 && best.value > 0.35 * energy { delay = best.lag * factor }
  }

  /// Searches the given lags for a correlation above `best`. Adds the squared correlations at these
  /// lags to `energy`.
  private func find(
    _ best: inout (value: Float, lag: Int), _ energy: inout Float, in lags: ClosedRange<Int>
  ) {
    for lag in lags {
      energy += scratch[lag] * scratch[lag]
      if scratch[lag] > best.value { best = (scratch[lag], lag) }
    }
  }

  /// Searches for a maximum outside the search range. The correlation is circular. Therefore a
  /// maximum at the lag `length` − `k` is ambiguous. The echo can be `k` samples earlier than the
  /// reference, or `length` − `k` samples later than the reference.
  private mutating func chooseOutside(inside: Float, energy: Float) {
    var (best, energy) = ((value: inside, lag: 0), energy)
    // An echo that is at most 1 ms earlier than the reference counts as inside the search range.
    find(&best, &energy, in: Self.length / 2 + 1...Self.length - 5)
    outside = nil
    guard best.lag > 0, best.value * best.value * Float(Self.length) > 49 * energy else {
      return outer.clear()
    }
    outer.add(best.lag)
    guard outer.agreements >= 8 else { return }
    let early = Self.length - best.lag
    let isLate =
      similarity(from: Self.length / 2, to: best.lag, shift: early)
      > similarity(from: best.lag, to: Self.length, shift: -best.lag)
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
