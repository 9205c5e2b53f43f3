internal import HearingDSP
internal import HearingBuffers

/// Decides every 10 ms how much of the canceller's output is echo.
///
/// Only the part of the output that is known to be echo is removed. The decision uses five pieces
/// of evidence:
///
/// - whether there is an echo path (``PathEvidence``);
/// - whether the echo path has changed (``PathEvidence``);
/// - whether the output follows the pattern of the playback (``PatternCorrelation``);
/// - whether the output follows the pattern of the playback for seconds while the echo estimate is
///   weak (``DistortionEvidence``);
/// - the ratio of the microphone's power to the power of the echo estimate (a high ratio is
///   evidence of near-end speech).
///
/// ``ResidualEcho`` computes the expected power of the residual echo. ``EchoGain`` computes the
/// gains.
struct EchoEstimator: ~Copyable {
  /// Describes how much of the last 10 ms frame is echo.
  private(set) var decision: EchoDecision
  /// Describes how much of the 10 ms frame before the last frame is echo.
  private(set) var formerDecision: EchoDecision
  /// Whether a voice in the last 10 ms frame can be near-end speech. If `isNear` is false, the
  /// voice counts as echo.
  private(set) var isNear = true
  /// Whether one of two conditions is true: the output is clearly louder than the noise, or an echo
  /// would be too soft to be audible in the noise.
  private(set) var isAudible = true
  /// The state of the echo path: present, absent or unknown.
  private(set) var path = EchoReport.Path.unknown
  /// Whether there is evidence of an echo path.
  private var isKnown = false
  /// Whether there is a strong echo, which headphones cannot cause.
  private(set) var isStrong = false

  /// Three mean powers: the power of the microphone signal, of the canceller's output, and of the
  /// suppression's output. Only frames that are mostly echo count in the means. The fourth element
  /// is not used.
  private var echoPowers = SIMD4<Float>.zero
  /// The number of frames in `echoPowers`.
  private var echoFrames = 0

  /// The powers of the current frame in frequency bands. ``EchoStage`` adds the samples.
  var bands: EchoBands
  private var evidence: PathEvidence
  private var pattern: PatternCorrelation
  private var distortion = DistortionEvidence()
  private var residual: ResidualEcho
  private var gain: EchoGain
  /// The power of the canceller's output, one value per band.
  private let output = EchoBands.row()
  /// Scratch memory with one value per band: the expected power of the residual echo in each bin of
  /// the band.
  private let density = EchoBands.row()
  /// The memory for the rows in `decision` and `formerDecision`.
  private let decisions: OwnedRow<Float>

  /// The output counts as similar to the expected echo only above a minimum resemblance. The number
  /// `startCaution` is added to this minimum, and decays during playback.
  private var startCaution: Float
  /// The mean resemblance of the output to the expected echo, over 2 s of playback. The mean starts
  /// at 1, which is a typical resemblance of an echo. The mean changes only after the filter has
  /// converged.
  private var recentResemblance: Float = 1
  /// The recent peak power of the playback. After each peak, `loudspeaker` decays like the
  /// reverberation in a room.
  private var loudspeaker: Float = 0
  /// The number of frames of playback without evidence of an echo path.
  private var unknownFrames = 0
  /// If `unknownFrames` reaches this number, the estimator assumes that there is no echo path.
  private var neededFrames: Int
  /// The number of frames since the echo path became known.
  private var knownFrames = 0
  private let tuning = EchoTuning()

  init(sampleRate: Double) {
    bands = EchoBands(sampleRate: sampleRate)
    let padded = bands.padded
    evidence = PathEvidence(padded: padded)
    pattern = PatternCorrelation(padded: padded)
    residual = ResidualEcho(padded: padded)
    gain = EchoGain(padded: padded)
    (startCaution, neededFrames) = (tuning.startCaution, tuning.lateTrustFrames)
    let stride = bands.stride
    decisions = .filled(0, count: 4 * stride)
    let rows = decisions.row
    decision = EchoDecision(
      gains: rows.part(from: 0, count: stride), residual: rows.part(from: stride, count: stride))
    formerDecision = EchoDecision(
      gains: rows.part(from: 2 * stride, count: stride),
      residual: rows.part(from: 3 * stride, count: stride))
    publish()
    publish()
  }

  /// Whether the canceller's filter currently predicts the echo.
  var isEchoPredicted: Bool { evidence.isKnown && evidence.coherence > tuning.known }

  /// Ends the current frame and decides how much of the frame is echo.
  ///
  /// - Parameters:
  ///   - run: The section of the microphone signal at the end of the frame.
  ///   - fraction: The fraction of the echo estimate that the canceller subtracts, 0…1.
  ///   - mayBeDelayed: Whether the delay search has found a tentative delay that the filter does
  ///     not cover. A tentative delay has no effect if the estimator has already decided that there
  ///     is no echo path.
  mutating func finishFrame(_ run: UplinkRun, fraction: Float, mayBeDelayed: Bool) {
    bands.finishFrame()
    var (played, heard, received, noise) = (Float4.zero, Float4.zero, Float4.zero, Float4.zero)
    for band in groupStarts(bands.padded) {
      let echo = bands.echo.float4(at: band)
      let remaining =
        bands.microphone.float4(at: band) - 2 * fraction * bands.product.float4(at: band)
        + fraction * fraction * echo
      let power = remaining.larger(.zero)
      output.setFloat4(power, at: band)
      heard += power
      noise += residual.noise.float4(at: band)
      received += bands.microphone.float4(at: band)
      played += bands.reference.float4(at: band)
    }
    // If the echo path is known and the microphone is switched off, the last decision stays valid.
    if isKnown && received.sum() < EchoTuning.digitalSilence { return }
    let isPlaying = played.sum() > tuning.minimumPlayback
    loudspeaker = max(played.sum(), loudspeaker * tuning.decay).flushingDenormals
    let wasKnown = isKnown
    evidence.update(bands, isPlaying: isPlaying)
    residual.update(bands, output: output.row)
    pattern.update(
      output: output.row, echo: bands.echo.row, played: residual.played, shape: residual.shape.row,
      meanEcho: evidence.meanEcho)
    if isPlaying {
      startCaution = (startCaution * tuning.startCautionDecay).flushingDenormals
      distortion.add(resemblance: pattern.resemblance, dominance: evidence.dominance)
      let weight = knownFrames == tuning.convergingFrames ? tuning.levelMean : 0
      recentResemblance += (pattern.resemblance - recentResemblance) * weight
    }
    isKnown = evidence.isKnown || distortion.value > (wasKnown ? 0 : tuning.distortedKnown)
    if isKnown { suppress() } else { gain.pass() }
    decideNear(
      heard: heard.sum(), noise: noise.sum(), isPlaying: isPlaying, wasKnown: wasKnown,
      mayBeDelayed: mayBeDelayed, mayHaveEcho: run.mayHaveEcho)
    if isPlaying && isKnown && gain.nearRatio < tuning.nearRatio { measure(run.echoSuppression) }
    publish()
  }

  /// Measures the powers of a frame that is mostly echo, before and after echo removal.
  private mutating func measure(_ strength: Float) {
    echoFrames = min(echoFrames + 1, tuning.measuredFrames)
    var sums = SIMD4<Float>.zero
    for band in 0..<bands.count {
      let left = 1 + strength * (gain.gains[band] - 1)
      sums += SIMD4(bands.microphone[band], output[band], left * left * output[band], 0)
    }
    echoPowers += (sums - echoPowers) * (1 / Float(echoFrames))
  }

  /// Writes the state of the echo path and the measured levels of the echo to `report`.
  func describe(_ report: inout EchoReport) {
    report.path = path
    guard isKnown else { return }
    report.returnLoss = Double(-Self.decibels(residual.pathGain))
    guard echoFrames >= tuning.minimumMeasuredFrames else { return }
    let heard = Self.decibels(echoPowers[0])
    report.cancellation = Double(heard - Self.decibels(echoPowers[1]))
    report.reduction = Double(heard - Self.decibels(echoPowers[2]))
  }

  private static func decibels(_ power: Float) -> Float {
    Decibels.perOctaveOfPower * Float4(repeating: power + 1e-12).binaryLogarithm[0]
  }

  private mutating func suppress() {
    let (dominance, change) = (evidence.dominance, evidence.change)
    // The dominance is the ratio of the microphone's power to the power of the echo estimate. A
    // high dominance is evidence of near-end speech. If the output has not resembled the echo for
    // seconds, near-end speech is likely. In this case, even a lower dominance is evidence of
    // near-end speech.
    let dissimilarity = recentResemblance.position(from: 1, range: tuning.echoFrom - 1)
    let doublings = Float4(repeating: max(dominance / (2 - dissimilarity), 1)).binaryLogarithm[0]
    let perDoubling = tuning.dominanceCaution + tuning.dissimilarityCaution * dissimilarity
    let caution = perDoubling * doublings * (1 - distortion.value)
    // If the filter predicts only a part of the echo, a higher resemblance to the expected echo is
    // required. Strong distortion is itself evidence of echo. Therefore the required resemblance is
    // not raised if the distortion is strong.
    let unexplained =
      evidence.isKnown ? max(0, tuning.reliableFit - max(evidence.fit, distortion.value)) : 0
    let similarity = pattern.resemblance.position(
      from: tuning.similarFrom + startCaution + caution + unexplained, range: tuning.similarRange)
    let certain = similarity.position(from: tuning.similarChange, range: 1 - tuning.similarChange)
    residual.estimate(
      output: output.row, similarity: similarity,
      changed: change * max(evidence.growth, certain),
      fit: evidence.fit, distorted: distortion.value)
    let changed = min(
      change, pattern.ofShape.position(from: tuning.shapeFrom, range: tuning.shapeRange))
    let extra = max(tuning.similarMargin * similarity, tuning.changedMargin * changed)
    gain.update(
      output: output.row, noise: residual.noise.row, residual: residual.power.row,
      margin: tuning.margin + extra, certainty: max(similarity, changed))
  }

  /// Decides whether a voice can be near-end speech.
  ///
  /// A voice can be near-end speech in two cases. In the first case, the output is louder than any
  /// possible echo. In the second case, more than half of the output's power is near-end signal.
  /// The power of the near-end signal is computed from the expected power of the echo. In addition,
  /// the second case requires one of two conditions. Either the echo path has been known for 0.5 s,
  /// or there was enough playback without evidence of an echo path.
  ///
  /// In noise, the filter adapts slowly to a soft echo. Therefore, while an echo may be audible, a
  /// voice can be near-end speech only if the voice is also louder than the noise.
  private mutating func decideNear(
    heard: Float, noise: Float, isPlaying: Bool, wasKnown: Bool, mayBeDelayed: Bool,
    mayHaveEcho: Bool
  ) {
    let heard = heard - tuning.noiseMargin * noise
    if isKnown {
      knownFrames = min(knownFrames + 1, tuning.convergingFrames)
      unknownFrames = 0
    } else if wasKnown {
      (knownFrames, neededFrames) = (0, tuning.lateTrustFrames)
    } else if isPlaying {
      unknownFrames = min(unknownFrames + 1, tuning.lateTrustFrames)
      if unknownFrames <= tuning.earlyFrames && heard > tuning.minimumHeard * loudspeaker {
        neededFrames = tuning.trustFrames
      }
    }
    let isTrusted =
      isKnown
      ? knownFrames == tuning.convergingFrames
      : unknownFrames >= neededFrames && evidence.coherence < tuning.uncertainBelow
        && (path == .absent || !mayBeDelayed)
    if !isKnown {
      isStrong = false
    } else if isTrusted {
      isStrong = residual.pathGain > tuning.strongEcho * (isStrong ? 0.5 : 1)
    }
    path = isKnown ? .present : isTrusted ? .absent : .unknown
    let pathGain = isKnown ? residual.pathGain : mayHaveEcho ? tuning.possiblePathGain : 0
    let fit = isKnown ? max(evidence.fit, distortion.value) : 1
    isAudible =
      heard * fit > tuning.nearNoise * noise || pathGain * loudspeaker < tuning.audibleEcho * noise
    isNear =
      heard > loudspeaker * tuning.maximumEchoGain
      || (isTrusted && gain.nearRatio > tuning.nearRatio
        && evidence.coherence < tuning.maximumCoherence && isAudible)
  }

  /// Writes the decision on the current frame to `decision`.
  private mutating func publish() {
    swap(&decision, &formerDecision)
    decision.isEcho = isKnown
    bands.interpolation.interpolate(gain.gains.row, to: decision.gains)
    for band in 0..<bands.padded {
      density[band] = isKnown ? residual.power[band] / bands.width(band) : 0
    }
    bands.interpolation.interpolate(density.row, to: decision.residual)
  }

  /// Restarts the estimator. Call this function after a new delay has been found and the canceller
  /// has been reset.
  mutating func restart() {
    evidence.reset()
    residual.reset()
    pattern.reset()
    gain.pass()
    distortion = DistortionEvidence()
    (echoFrames, isKnown, recentResemblance) = (0, false, 1)
    realign()
  }

  /// Adjusts the estimator to a change of the delay of the reference.
  ///
  /// If there is an echo at the new delay, the estimator recognises the echo within 0.1 s. With
  /// music, the new delay may be wrong. Therefore, after another 0.3 s of playback without evidence
  /// of an echo path, the estimator assumes that there is no echo path.
  mutating func realign() {
    knownFrames = 0
    unknownFrames = min(unknownFrames, neededFrames - tuning.delayTrustFrames)
  }

  mutating func reset() {
    restart()
    bands.reset()
    (unknownFrames, loudspeaker, path, isNear, isAudible) = (0, 0, .unknown, true, true)
    (startCaution, neededFrames, isStrong) = (tuning.startCaution, tuning.lateTrustFrames, false)
    publish()
    publish()
  }
}
