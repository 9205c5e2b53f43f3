/// An upper estimate of the residual echo in the output.
///
/// Residual echo has two causes: the filter's own uncertainty, and the leakage, above all
/// reverberation beyond the filter's length. The leakage is the regression of the output's power on
/// the echo's (J.-M. Valin, IEEE Transactions on Audio, Speech and Language Processing 15, 2007),
/// which near talk does not bias. Both have weights above 1 and decay slowly, like sound in a room.
struct ResidualEstimate {
  /// Mean square of the echo that may be in the output.
  private(set) var power: Float = 0

  private var echoEnvelope: Float = 0
  private var errorEnvelope: Float = 0
  private var meanEcho: Float = 0
  private var meanOutput: Float = 0
  /// Their initial ratio is the initial leakage: a tenth of the echo.
  private var covariance: Float = 1e-8
  private var variance: Float = 1e-7

  /// The minimum leakage: −27 dB.
  private static let minimumLeakage: Float = 0.002

  /// Weights of the filter's uncertainty and of the leakage. With these the estimate is high enough
  /// in 99 of 100 blocks of far voice.
  private static let errorWeight: Float = 4
  private static let leakageWeight: Float = 2

  init() {}

  /// Adds the mean squares of a block.
  ///
  /// - Parameters:
  ///   - echo: The mean square of the filter's echo estimate.
  ///   - expectedError: The expected mean square of the echo due to the filter's uncertainty.
  ///   - isUnreliable: Whether the filter is new or adds echo; then the whole microphone signal may
  ///     be echo.
  mutating func add(
    microphone: Float, output: Float, echo: Float, expectedError: Float, isUnreliable: Bool,
    plan: EchoPlan
  ) {
    echoEnvelope = max(echo, echoEnvelope * plan.envelopeDecay)
    errorEnvelope = max(expectedError, errorEnvelope * plan.envelopeDecay)
    if errorEnvelope < 1e-20 { errorEnvelope = 0 }
    if echoEnvelope < 1e-20 { echoEnvelope = 0 }
    learn(echo: echo, output: output, plan: plan)
    let leakage = covariance / variance
    power =
      Self.errorWeight * errorEnvelope + Self.leakageWeight * leakage * echoEnvelope
    if isUnreliable { power = max(power, microphone) }
  }

  private mutating func learn(echo: Float, output: Float, plan: EchoPlan) {
    meanEcho += plan.meanRate * (echo - meanEcho)
    meanOutput += plan.meanRate * (output - meanOutput)
    guard echo > 1e-12 else {
      if meanEcho < 1e-20 { meanEcho = 0 }
      if meanOutput < 1e-20 { meanOutput = 0 }
      return
    }
    let (echoChange, outputChange) = (echo - meanEcho, output - meanOutput)
    let rate = plan.leakageRate * min(1, echo / (output + 1e-12))
    covariance += rate * (echoChange * outputChange - covariance)
    variance += rate * (echoChange * echoChange - variance)
    variance = max(variance, 1e-20)
    covariance = min(max(covariance, Self.minimumLeakage * variance), variance)
  }
}
