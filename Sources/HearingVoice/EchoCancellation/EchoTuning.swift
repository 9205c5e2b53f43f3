/// The constants of ``EchoEstimator``, with the reason for each. A frame is 10 ms.
struct EchoTuning {
  init() {}

  // MARK: Evidence of a path

  /// The weight of a frame in means of 0.3 s, the shortest that separate echo from chance.
  let pathMean: Float = 1.0 / 30
  /// Mean square of the echo estimate in a band that counts: −82 dBFS, below the noise of rooms.
  let minimumEcho: Float = 6.3e-9
  /// Added to the number of bands, so that a few coherent bands are not evidence.
  let missingBands: Float = 8
  /// Evidence of a path: the most that occurs without echo.
  let known: Float = 0.10
  /// Evidence below which a known path is in doubt.
  let uncertainBelow: Float = 0.05
  /// More evidence is needed while the means fill; falls with a time constant of 0.2 s of playback.
  let initialCaution: Float = 0.25
  let cautionDecay: Float = 0.951
  /// A path is forgotten after 0.1 s without evidence and half its age, at most 1 s.
  let minimumUncertainFrames = 10
  let maximumUncertainFrames = 100
  /// Playback below this mean square counts as silence: −80 dBFS.
  let minimumPlayback: Float = 1e-8

  // MARK: A changed path

  /// The weight of a frame in means of 0.1 s, which show a change after 30…150 ms.
  let changeMean: Float = 0.1
  /// Coherence of the error with the echo estimate: with the wrong sign the echo has gone, with the
  /// right one it has grown. Near talk alone reaches the lower ends.
  let goneFrom: Float = 0.12
  let goneRange: Float = 0.18
  let grownFrom: Float = 0.3
  let grownRange: Float = 0.3
  /// No change is assumed from this ratio of the microphone to the echo estimate on: 5 % of near talk
  /// that is 8 dB louder than the echo is below it.
  let maximumDominance: Float = 2.5
  /// How a change is held: 0.3 s.
  let changeHold: Float = 0.97
  /// The least power that a change leaves, −13 dB of the echo estimate's: an estimate that is slightly
  /// too large is no change.
  let minimumGrowth: Float = 0.05
  /// How fast the fit of the filter rises, 0.1 s, and falls, 2 s. A filter that has not fitted yet says
  /// little of what it leaves.
  let fitRise: Float = 0.1
  let fitFall: Float = 0.005

  // MARK: Correlation of patterns

  /// The weights of a frame in means of 0.6 s, the shortest that separate near talk from distorted
  /// echo, of 0.3 s, and of 2 s.
  let patternMean: Float = 1.0 / 60
  let shapeMean: Float = 1.0 / 30
  let levelMean: Float = 1.0 / 200
  /// Added to band powers before the logarithm: −110 dBFS.
  let minimumLevel: Float = 1e-11
  /// The decay of the expected echo in a frame before it is compared.
  let patternDecay: Float = 0.75
  /// The correlation of levels, plus this fraction of that of shapes, separates best: 10 % of double talk
  /// exceed the lower end, and 95 % of distorted echo the upper one.
  let shapeWeight: Float = 0.5
  let similarFrom: Float = 0.75
  let similarRange: Float = 0.2
  /// More correlation is needed at the start of playback, for 1.5 s, and by each doubling of the
  /// dominance above 2, which 95 % of distorted far talk stay below.
  let startCaution: Float = 0.25
  let startCautionDecay: Float = 0.993_4
  let dominanceCaution: Float = 0.16
  /// The same for the shape of single frames, which confirms a change of the path.
  let shapeFrom: Float = 0.2
  let shapeRange: Float = 0.2

  // MARK: Power of the residual

  /// The decay in a frame of a reverberation time of 0.8 s.
  let decay: Float = 0.84
  /// The slow decay of reverberation behind the filter, and its delay in frames.
  let lateDecay: Float = 0.89
  let lateDelay = 20
  /// The loudspeaker's total power is not amplified by more in a band.
  let maximumTransfer: Float = 30
  /// The least fractions of the features: the first is how far near talk may lie below the echo before it
  /// is given up, −25 dB.
  let minimumFractions = SIMD3<Float>(0.003, 1e-5, 0.002)
  let initialFractions = SIMD3<Float>(0.03, 0.003, 0.02)
  let maximumFraction: Float = 4
  /// How fast the fractions follow: 0.2 s; slower downwards by this fraction while the output is echo, because
  /// distortion is strong in loud syllables and weak between them.
  let learningRate: Float = 0.05
  let hold: Float = 0.5
  /// The noise is the minimum over two halves of 0.75 s each.
  let noiseFrames = 75

  // MARK: Gain

  /// How far output must exceed the expected echo: with no further evidence; with patterns of an echo;
  /// after a change; while the microphone is hardly louder than the echo estimate.
  let margin: Float = 1.5
  let similarMargin: Float = 30
  let changedMargin: Float = 8
  let plainMargin: Float = 4
  let plainDominance: Float = 1.35
  /// Only after the first second of playback.
  let plainFrames = 100
  let plainRange: Float = 0.15
  /// The lowest gain: −60 dB.
  let minimumGain: Float = 1e-3

  // MARK: Report

  /// The figures of the report are means of 2 s of echo, and told from 0.3 s on.
  let measuredFrames = 200
  let minimumMeasuredFrames = 30

  // MARK: Near voice

  /// The fraction of near sound in the output's power from which it is near voice.
  let nearRatio: Float = 0.5
  /// The coherence that 95 % of near talk as loud as the echo stay below: above it, echo prevails.
  let maximumCoherence: Float = 0.72
  /// Without evidence of a path, all sound may be echo for this many frames of playback: 0.8 s if the
  /// microphone was heard in the first 0.3 s, 1.4 s otherwise, because of devices with a long delay.
  let trustFrames = 80
  let lateTrustFrames = 140
  let earlyFrames = 30
  /// The least of these frames that follow the start at a delay that was found: 0.3 s. A path at that delay
  /// becomes known in 0.1 s.
  let delayTrustFrames = 30
  /// The microphone is heard from 20 dB below the playback on.
  let minimumHeard: Float = 0.01
  /// With a path, all sound may be echo for the first 0.5 s, in which the filter converges.
  let convergingFrames = 50
  /// The greatest power gain from loudspeaker to microphone: 30 dB.
  let maximumEchoGain: Float = 1_000
}

extension Float {
  /// The relative position between two bounds, 0…1.
  @inline(__always)
  func position(from low: Float, range: Float) -> Float {
    Swift.min(Swift.max((self - low) / range, 0), 1)
  }
}
