/// An upper estimate of the power of the residual echo in the output.
///
/// Residual echo has two causes: the uncertainty of the filter, and leakage. Leakage is mainly
/// reverberation beyond the filter's length. It is estimated by the regression of the output's
/// power on the power of the echo estimate (J.-M. Valin, IEEE Transactions on Audio, Speech and
/// Language Processing 15, 2007). Near-end speech does not bias this regression. Both terms have
/// weights above 1 and decay slowly, like reverberation in a room.
struct ResidualEstimate {
  /// The upper estimate of the mean square of the residual echo in the output.
  private(set) var power: Float = 0

  private var echoEnvelope: Float = 0
  private var errorEnvelope: Float = 0
  private var meanEcho: Float = 0
  private var meanOutput: Float = 0
  /// The covariance of the echo's power and the output's power. The initial leakage is `covariance`
  /// / `variance` = 0.1.
  private var covariance: Float = 1e-8
  /// The variance of the echo's power.
  private var variance: Float = 1e-7

  /// The minimum leakage: −27 dB.
  private static let minimumLeakage: Float = 0.002

  /// The weight of the filter's uncertainty. With both weights, the estimate is high enough in 99 %
  /// of the blocks that contain only far voice.
  private static let errorWeight: Float = 4
  /// The weight of the leakage.
  private static let leakageWeight: Float = 2

  init() {}

  /// Adds the mean squares of a block.
  ///
  /// - Parameters:
  ///   - echo: The mean square of the filter's echo estimate.
  ///   - expectedError: The expected mean square of the echo due to the filter's uncertainty.
  ///   - isUnreliable: Whether the filter is new or adds echo. If true, the whole microphone signal
  ///     may be echo.
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
