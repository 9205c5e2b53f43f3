internal import HearingDSP
internal import HearingBuffers

/// Decides whether there is an echo path at all, by the coherence of the microphone with the echo
/// that the canceller predicted.
///
/// The prediction was made before the filter saw the sound, so without echo it is coherent with the
/// microphone only by chance. Each band counts alike, however loud it is. Before there is evidence,
/// nothing counts as echo.
struct PathEvidence: ~Copyable {
  /// Whether the echo path is known.
  private(set) var isKnown = false

  private let memory: FloatMemory
  /// Products of both signals and their powers, means of 0.3 s, `[band]`.
  private let products: Row<Float>
  private let heard: Row<Float>
  private let predicted: Row<Float>
  /// The band of each bin.
  private let bandOfBin: OwnedRow<Int32>
  private let bandCount: Int
  /// Sums of the newest frame, `[band]`: product, microphone, prediction.
  private let sums: Row<Float>

  private let tuning = Tuning()
  private var caution: Float
  /// Frames since the path became known, and frames without coherence since then.
  private var age = 0
  private var doubtfulFrames = 0

  /// Frames are 5 ms apart.
  private struct Tuning {
    /// The weight of a frame in means of 0.3 s, the shortest that separate echo from chance.
    let mean: Float = 1.0 / 60
    /// Mean square of the prediction in a band that counts: −82 dB, below the noise of rooms.
    let least: Float = 6.3e-9
    /// Added to the number of bands, so that a few coherent bands are not evidence.
    let missingBands: Float = 8
    /// Evidence of a path: the most that occurs without echo.
    let known: Float = 0.10
    /// Evidence below which a known path is in doubt.
    let doubtful: Float = 0.05
    /// More evidence is needed while the means fill; falls with a time constant of 0.2 s.
    let initialCaution: Float = 0.25
    let cautionDecay: Float = 0.9753
    /// A path is forgotten after 0.1 s without evidence and half its age, at most 1 s.
    let leastDoubt = 20
    let mostDoubt = 200
  }

  init(bins: Int, sampleRate: Double) {
    let width = sampleRate / Double(2 * (bins - 1))
    let count = 1 + Self.band(at: Double(bins - 1) * width)
    bandOfBin = .filled(0, count: bins)
    bandCount = count
    caution = tuning.initialCaution
    let padded = (count + 3) / 4 * 4
    var memory = FloatMemory(capacity: 6 * padded)
    products = memory.take(padded)
    heard = memory.take(padded)
    predicted = memory.take(padded)
    sums = memory.take(3 * padded)
    self.memory = memory
    for bin in 0..<bins { bandOfBin[bin] = Int32(Self.band(at: Double(bin) * width)) }
  }

  /// The band of a frequency: 100 Hz wide up to 2 kHz, 200 Hz up to 4 kHz, 400 Hz up to 8 kHz.
  private static func band(at frequency: Double) -> Int {
    if frequency < 2_000 { return Int(frequency / 100) }
    if frequency < 4_000 { return 20 + Int((frequency - 2_000) / 200) }
    return 30 + min(9, Int((frequency - 4_000) / 400))
  }

  /// Adds a frame: spectrum 1 is the predicted echo, spectrum 2 the microphone.
  mutating func update(_ spectra: borrowing Spectra, bins: Int, stride: Int) {
    let padded = (bandCount + 3) / 4 * 4
    for index in 0..<3 * padded { sums[index] = 0 }
    let (real, imaginary) = (spectra.real.row, spectra.imaginary.row)
    for bin in 0..<bins {
      let band = Int(bandOfBin[bin])
      let (y, z) = (real[stride + bin], imaginary[stride + bin])
      let (d, e) = (real[2 * stride + bin], imaginary[2 * stride + bin])
      sums[band] += y * d + z * e
      sums[padded + band] += d * d + e * e
      sums[2 * padded + band] += y * y + z * z
    }
    var coherence: Float = 0
    var active: Float = 0
    var band = 0
    while band < padded {
      let product = mean(products, sums.float4(at: band), at: band)
      let microphone = mean(heard, sums.float4(at: padded + band), at: band)
      let echo = mean(predicted, sums.float4(at: 2 * padded + band), at: band)
      let logarithms = (microphone + 1e-17).binaryLogarithm + (echo + 1e-17).binaryLogarithm
      let ratio = product * (logarithms * -0.5).powerOfTwo
      let counts = echo .> Float4(repeating: tuning.least)
      coherence += Float4.zero.replacing(with: ratio, where: counts).sum()
      active += Float4.zero.replacing(with: Float4(repeating: 1), where: counts).sum()
      band += 4
    }
    guard active > 0 else { return }
    decide(coherence / (active + tuning.missingBands))
  }

  private func mean(_ means: Row<Float>, _ newest: Float4, at band: Int) -> Float4 {
    let old = means.float4(at: band)
    let next = (old + (newest - old) * tuning.mean).withoutTraces
    means.setFloat4(next, at: band)
    return next
  }

  private mutating func decide(_ evidence: Float) {
    caution *= tuning.cautionDecay
    if caution < 1e-6 { caution = 0 }
    guard isKnown else {
      isKnown = evidence > tuning.known + caution
      (age, doubtfulFrames) = (0, 0)
      return
    }
    age = min(age + 1, 2 * tuning.mostDoubt)
    doubtfulFrames = evidence < tuning.doubtful ? doubtfulFrames + 1 : 0
    if doubtfulFrames > min(tuning.mostDoubt, tuning.leastDoubt + age / 2) { isKnown = false }
  }

  mutating func reset() {
    memory.clear()
    isKnown = false
    caution = tuning.initialCaution
    (age, doubtfulFrames) = (0, 0)
  }
}
