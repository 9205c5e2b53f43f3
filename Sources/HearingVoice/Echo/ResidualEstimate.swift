/// How much echo may be left in the output.
///
/// Two things leave echo: what the filter knows of its own uncertainty, and what it cannot know,
/// above all reverberation beyond its length. The second is found as the share of the echo's
/// fluctuations that shows again in the output's (J.-M. Valin, IEEE Transactions on Audio, Speech and
/// Language Processing 15, 2007): the near talker's do not go along. Both are taken several
/// times, and they fall slowly, as sound in a room does.
struct ResidualEstimate {
  /// Mean square of echo that may be in the output.
  private(set) var power: Float = 0

  private var echoEnvelope: Float = 0
  private var errorEnvelope: Float = 0
  private var meanEcho: Float = 0
  private var meanOutput: Float = 0
  /// Together they say that a tenth of the echo is left, before anything is known.
  private var covariance: Float = 1e-8
  private var variance: Float = 1e-7

  /// No room is known better than this: 27 dB.
  private static var leastLeakage: Float {
    @_noLocks @_noAllocation @inline(__always) get { 0.002 }
  }

  /// How many times the filter's own uncertainty, and the leakage, are counted: with these the
  /// estimate holds in 99 of 100 blocks of far voice.
  private static var errorWeight: Float {
    @_noLocks @_noAllocation @inline(__always) get { 4 }
  }
  private static var leakageWeight: Float {
    @_noLocks @_noAllocation @inline(__always) get { 2 }
  }

  @_noLocks @_noAllocation
  init() {}

  /// Takes in the mean squares of a block.
  ///
  /// - Parameters:
  ///   - echo: of the echo as the filter has it.
  ///   - expectedError: of what the filter's uncertainty leaves.
  ///   - knowsNothing: whether the filter is new or has made things worse of late; then all that is
  ///     heard may be echo.
  @_noLocks @_noAllocation
  mutating func take(
    microphone: Float, output: Float, echo: Float, expectedError: Float, knowsNothing: Bool,
    plan: EchoPlan
  ) {
    echoEnvelope = max(echo, echoEnvelope * plan.envelope)
    errorEnvelope = max(expectedError, errorEnvelope * plan.envelope)
    if errorEnvelope < 1e-20 { errorEnvelope = 0 }
    if echoEnvelope < 1e-20 { echoEnvelope = 0 }
    learn(echo: echo, output: output, plan: plan)
    let leakage = covariance / variance
    power =
      Self.errorWeight * errorEnvelope + Self.leakageWeight * leakage * echoEnvelope
    if knowsNothing { power = max(power, microphone) }
  }

  @_noLocks @_noAllocation
  private mutating func learn(echo: Float, output: Float, plan: EchoPlan) {
    meanEcho += plan.mean * (echo - meanEcho)
    meanOutput += plan.mean * (output - meanOutput)
    guard echo > 1e-12 else {
      if meanEcho < 1e-20 { meanEcho = 0 }
      if meanOutput < 1e-20 { meanOutput = 0 }
      return
    }
    let (echoChange, outputChange) = (echo - meanEcho, output - meanOutput)
    let rate = plan.learning * min(1, echo / (output + 1e-12))
    covariance += rate * (echoChange * outputChange - covariance)
    variance += rate * (echoChange * echoChange - variance)
    variance = max(variance, 1e-20)
    covariance = min(max(covariance, Self.leastLeakage * variance), variance)
  }
}
