internal import HearingDSP
internal import HearingBuffers

/// Decides whether there is an echo path, and whether the path has changed. The evidence is the
/// coherence of the echo estimate with two signals: the microphone signal, and the canceller's
/// error.
///
/// The canceller estimates the echo of a block before the canceller adapts to this block.
/// Therefore, if there is no echo, the echo estimate is coherent with the microphone signal only by
/// chance. All frequency bands have the same weight, regardless of the level in the band. While
/// there is no evidence of an echo path, no part of the microphone signal counts as echo.
struct PathEvidence: ~Copyable {
  /// Whether there is enough evidence of an echo path. In this case, the echo path is called known.
  private(set) var isKnown = false
  /// The coherence of the microphone signal and the echo estimate, at most 1.
  private(set) var coherence: Float = 0
  /// The ratio of the microphone's power to the echo estimate's power.
  private(set) var dominance: Float = 1e6
  /// The evidence that the path has changed, 0…1.
  private(set) var change: Float = 0
  /// The power of the remaining echo after a change of the path, divided by the power of the echo
  /// estimate.
  private(set) var growth: Float = 1
  /// How well the echo estimate has recently matched the microphone signal, 0…1.
  private(set) var fit: Float = 0

  private let padded: Int
  /// The mean product of microphone signal and echo estimate over 0.3 s, one value per band.
  private let products = EchoBands.row()
  /// The mean power of the microphone signal over 0.3 s, one value per band.
  private let heard = EchoBands.row()
  /// The mean power of the echo estimate over 0.3 s, one value per band.
  private let predicted = EchoBands.row()
  /// The mean product of the canceller's error and the echo estimate over 0.1 s, one value per
  /// band.
  private let errorProducts = EchoBands.row()
  /// The mean power of the canceller's error over 0.1 s, one value per band.
  private let errors = EchoBands.row()
  /// The mean power of the echo estimate over 0.1 s, one value per band.
  private let echoes = EchoBands.row()

  private let tuning = EchoTuning()
  /// An echo path becomes known if the coherence exceeds `EchoTuning.known` + `caution`. The value
  /// of `caution` decays during playback.
  private var caution: Float
  /// The number of frames with an audible echo estimate since the path became known.
  private var age = 0
  /// The number of consecutive frames with a coherence below `EchoTuning.uncertainBelow`.
  private var uncertainFrames = 0

  /// - Parameter padded: The number of bands, rounded up to a multiple of four.
  init(padded: Int) {
    self.padded = padded
    caution = tuning.initialCaution
  }

  /// The mean power of the echo estimate, one value per band.
  var meanEcho: Row<Float> { predicted.row }

  /// Adds a frame of 10 ms to the evidence.
  ///
  /// - Parameter isPlaying: Whether there is playback in this frame.
  mutating func update(_ bands: borrowing EchoBands, isPlaying: Bool) {
    var (coherences, changes, active) = (Float4.zero, Float4.zero, Float4.zero)
    var (heardSum, predictedSum) = (Float4.zero, Float4.zero)
    var (productSum, echoSum) = (Float4.zero, Float4.zero)
    var explained = Float4.zero
    for band in groupStarts(padded) {
      let (d, y) = (bands.microphone.float4(at: band), bands.echo.float4(at: band))
      let dy = bands.product.float4(at: band)
      let product = products.follow(dy, at: band, by: tuning.pathMean)
      let microphone = heard.follow(d, at: band, by: tuning.pathMean)
      let echo = predicted.follow(y, at: band, by: tuning.pathMean)
      let counts = echo .> Float4(repeating: tuning.minimumEcho)
      coherences += Self.coherence(product, microphone, echo).kept(where: counts)
      active += Float4(repeating: 1).kept(where: counts)
      heardSum += microphone
      predictedSum += echo
      explained += product
      let errorProduct = errorProducts.follow(dy - y, at: band, by: tuning.changeMean)
      let error = errors.follow(d - 2 * dy + y, at: band, by: tuning.changeMean)
      let lateEcho = echoes.follow(y, at: band, by: tuning.changeMean)
      changes += Self.coherence(errorProduct, error, lateEcho).kept(where: counts)
      productSum += errorProduct
      echoSum += lateEcho
    }
    dominance = min(heardSum.sum() / (predictedSum.sum() + 1e-12), 1e6)
    let count = active.sum()
    coherence = coherences.sum() / (count + tuning.missingBands)
    decide(isHeard: count > 0, isPlaying: isPlaying)
    let ratio = productSum.sum() / (echoSum.sum() + 1e-12)
    growth = min(max(tuning.minimumGrowth, ratio * ratio), 100)
    if isPlaying {
      let fraction = min(max(explained.sum() / (predictedSum.sum() + 1e-12), 0), 1)
      let now = isKnown ? fraction * fraction : 0
      let next = now > fit ? fit + (now - fit) * tuning.fitRise : 0
      fit = max(fit * (1 - tuning.fitFall), next).flushingDenormals
    }
    let shift = -changes.sum() / (count + tuning.missingBands)
    let evidence = max(
      shift.position(from: tuning.goneFrom, range: tuning.goneRange),
      (-shift).position(from: tuning.grownFrom, range: tuning.grownRange))
    let converging = Float(tuning.convergingFrames)
    let converged = Float(age).position(from: converging, range: converging)
    let softness = min(max(tuning.maximumDominance - dominance / max(growth, 1), 0), 1)
    let now = fit * evidence * converged * softness
    change = max(now, change * tuning.changeHold).flushingDenormals
  }

  private static func coherence(_ product: Float4, _ one: Float4, _ other: Float4) -> Float4 {
    let positive = one.larger(Float4(repeating: 1e-17))
    let logarithms = positive.binaryLogarithm + (other + 1e-17).binaryLogarithm
    return product * (logarithms * -0.5).powerOfTwo
  }

  private mutating func decide(isHeard: Bool, isPlaying: Bool) {
    if isPlaying { caution = (caution * tuning.cautionDecay).flushingDenormals }
    guard isKnown else {
      isKnown = isHeard && coherence > tuning.known + caution
      (age, uncertainFrames) = (0, 0)
      return
    }
    guard isHeard else { return }
    age = min(age + 1, 2 * tuning.maximumUncertainFrames)
    uncertainFrames = coherence < tuning.uncertainBelow ? uncertainFrames + 1 : 0
    if uncertainFrames > min(tuning.maximumUncertainFrames, tuning.minimumUncertainFrames + age / 2)
    {
      isKnown = false
    }
  }

  mutating func reset() {
    products.fill(0)
    heard.fill(0)
    predicted.fill(0)
    errorProducts.fill(0)
    errors.fill(0)
    echoes.fill(0)
    isKnown = false
    caution = tuning.initialCaution
    (age, uncertainFrames) = (0, 0)
    (coherence, dominance, change, growth, fit) = (0, 1e6, 0, 1, 0)
  }
}
