/// The constants of ``EchoEstimator``, with the reason for each. A frame is 10 ms.
struct EchoTuning {
  init() {}

  // MARK: Evidence of a path

  /// The weight of a frame in means of 0.3 s, the shortest that separate echo from chance.
  let pathMean: Float = 1.0 / 30
  /// A band is used only if the mean square of its echo estimate is at least this: −82 dBFS, below
  /// the noise of rooms.
  let minimumEcho: Float = 6.3e-9
  /// Added to the number of bands, so that a few coherent bands are not evidence.
  let missingBands: Float = 8
  /// A path is known if the coherence exceeds this value; lower values also occur without echo.
  let known: Float = 0.10
  /// A known path becomes uncertain if the coherence is below this value.
  let uncertainBelow: Float = 0.05
  /// The additional coherence that is needed at the start, while the means fill.
  let initialCaution: Float = 0.25
  /// Its decay in a frame of playback: a time constant of 0.2 s.
  let cautionDecay: Float = 0.951
  /// A path becomes unknown after this time without evidence, plus half the time for which it was
  /// known: 0.1 s.
  let minimumUncertainFrames = 10
  /// And at the latest after 1 s without evidence.
  let maximumUncertainFrames = 100
  /// Playback below this mean square counts as silence: −80 dBFS.
  let minimumPlayback: Float = 1e-8

  // MARK: A changed path

  /// The weight of a frame in means of 0.1 s, which show a change after 30…150 ms.
  let changeMean: Float = 0.1
  /// Evidence that the echo has stopped begins at this coherence of the error with the echo
  /// estimate; the coherence is negative then. Near talk alone reaches this value.
  let goneFrom: Float = 0.12
  /// The evidence is full at `goneFrom` plus this value.
  let goneRange: Float = 0.18
  /// Evidence that the echo has grown begins at this coherence. Near talk alone reaches this value.
  let grownFrom: Float = 0.3
  /// The evidence is full at `grownFrom` plus this value.
  let grownRange: Float = 0.3
  /// If the microphone exceeds the echo estimate by this ratio of powers or more, no change is
  /// assumed. 5 % of near talk that is 8 dB louder than the echo is below it.
  let maximumDominance: Float = 2.5
  /// The decay in a frame of the evidence of a change: a time constant of 0.3 s.
  let changeHold: Float = 0.97
  /// The minimum power after a change, relative to the echo estimate: −13 dB. So a slightly too
  /// large estimate does not count as a change.
  let minimumGrowth: Float = 0.05
  /// The fraction by which the fit of the filter rises in a frame: a time constant of 0.1 s. Before
  /// the filter fits, its error says little about a change.
  let fitRise: Float = 0.1
  /// The fraction by which it falls in a frame: a time constant of 2 s.
  let fitFall: Float = 0.005

  // MARK: Correlation of patterns

  /// The weight of a frame in the correlation of levels: a mean of 0.6 s, the shortest that
  /// separates near talk from distorted echo.
  let patternMean: Float = 1.0 / 60
  /// The weight of a frame in the correlation of shapes: a mean of 0.3 s.
  let shapeMean: Float = 1.0 / 30
  /// The weight of a frame in the mean levels: 2 s.
  let levelMean: Float = 1.0 / 200
  /// Added to band powers before the logarithm: −110 dBFS.
  let minimumLevel: Float = 1e-11
  /// The decay of the expected echo in a frame before it is compared.
  let patternDecay: Float = 0.75
  /// The weight of the correlation of shapes, which is added to that of levels.
  let shapeWeight: Float = 0.5
  /// The patterns resemble an echo if the sum exceeds this value, as in 10 % of double talk.
  let similarFrom: Float = 0.75
  /// The range above it, up to full similarity, which 95 % of distorted echo exceeds.
  let similarRange: Float = 0.2
  /// The additional correlation that is needed at the start of playback.
  let startCaution: Float = 0.25
  /// Its decay in a frame of playback: a time constant of 1.5 s.
  let startCautionDecay: Float = 0.993_4
  /// The additional correlation for each doubling of the dominance above 2; 95 % of distorted far
  /// talk has a dominance below 2.
  let dominanceCaution: Float = 0.16
  /// The correlation of shapes above which they confirm a change of the path.
  let shapeFrom: Float = 0.2
  /// The range above it, up to full confirmation.
  let shapeRange: Float = 0.2

  // MARK: Power of the residual

  /// The decay in a frame of a reverberation time of 0.8 s.
  let decay: Float = 0.84
  /// The decay in a frame of reverberation that is longer than the filter.
  let lateDecay: Float = 0.89
  /// The delay of that reverberation in frames.
  let lateDelay = 20
  /// The maximum ratio of mean echo to mean reference in a band, for the power of distortion.
  let maximumTransfer: Float = 30
  /// The minimum fractions of the three features. Because of the first one, near talk more than
  /// 25 dB below the echo is not kept.
  let minimumFractions = SIMD3<Float>(0.003, 1e-5, 0.002)
  /// The fractions at the start.
  let initialFractions = SIMD3<Float>(0.03, 0.003, 0.02)
  /// The maximum of a fraction.
  let maximumFraction: Float = 4
  /// The weight of a frame in the fractions: a time constant of 0.2 s.
  let learningRate: Float = 0.05
  /// While the output is echo, the weight of a frame that lowers the fractions is reduced by this
  /// fraction: distortion is strong in loud syllables and weak between them.
  let hold: Float = 0.5
  /// The noise is the minimum over two halves of 0.75 s each.
  let noiseFrames = 75

  // MARK: Gain

  /// The ratio of powers by which the output must exceed the expected echo to be kept.
  let margin: Float = 1.5
  /// Added to it if the patterns resemble an echo.
  let similarMargin: Float = 30
  /// Added instead after a change of the path.
  let changedMargin: Float = 8
  /// Added instead while the microphone is little louder than the echo estimate.
  let plainMargin: Float = 4
  /// The frames of playback before `plainMargin` applies: 1 s.
  let plainFrames = 100
  /// The ratio of powers below which the microphone counts as little louder.
  let plainDominance: Float = 1.35
  /// The range below it, down to the full `plainMargin`.
  let plainRange: Float = 0.15
  /// The minimum gain: −60 dB.
  let minimumGain: Float = 1e-3

  // MARK: Report

  /// The frames of echo over which the values of a report are averaged: 2 s.
  let measuredFrames = 200
  /// The frames of echo after which a report has values: 0.3 s.
  let minimumMeasuredFrames = 30

  // MARK: Near voice

  /// The fraction of near sound in the output's power above which it counts as near voice.
  let nearRatio: Float = 0.5
  /// The coherence above which a frame is mostly echo; 95 % of near talk as loud as the echo has
  /// less.
  let maximumCoherence: Float = 0.72
  /// Without evidence of a path, all sound may be echo for this many frames of playback: 0.8 s.
  let trustFrames = 80
  /// The same, if the microphone was silent for the first `earlyFrames`: 1.4 s, because of devices
  /// with a long delay.
  let lateTrustFrames = 140
  /// 0.3 s.
  let earlyFrames = 30
  /// The minimum number of such frames after a delay was found: 0.3 s. A path with that delay
  /// becomes known in 0.1 s.
  let delayTrustFrames = 30
  /// The microphone is not silent if its power is at least this, relative to the playback: −20 dB.
  let minimumHeard: Float = 0.01
  /// With a path, all sound may be echo for the first 0.5 s, in which the filter converges.
  let convergingFrames = 50
  /// The maximum power gain from loudspeaker to microphone: 30 dB.
  let maximumEchoGain: Float = 1_000
}

extension Float {
  /// The relative position between two bounds, 0…1.
  @inline(__always)
  func position(from low: Float, range: Float) -> Float {
    Swift.min(Swift.max((self - low) / range, 0), 1)
  }
}
