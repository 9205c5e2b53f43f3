/// The constants of ``EchoEstimator``, with the reason for each constant. A frame is 10 ms long.
struct EchoTuning {
  // MARK: Evidence of a path

  /// The weight of a new frame in running means over 0.3 s. With running means over a shorter time,
  /// the coherence of an echo could not be distinguished from random coherence.
  let pathMean: Float = 1.0 / 30
  /// A frequency band is used only if the mean square of the echo estimate in the band exceeds this
  /// value: −82 dBFS. The noise of a room is louder than −82 dBFS.
  let minimumEcho: Float = 6.3e-9
  /// The mean coherence is computed from the sum of the coherences of all used bands. This sum is
  /// divided by the number of used bands plus `missingBands`. Because of `missingBands`, a few
  /// coherent bands are not evidence of an echo path.
  let missingBands: Float = 8
  /// An echo path becomes known if the coherence of the microphone signal and the echo estimate
  /// exceeds this value. A lower coherence also occurs without echo.
  let known: Float = 0.10
  /// A known echo path counts as uncertain while the coherence of the microphone signal and the
  /// echo estimate is below this value.
  let uncertainBelow: Float = 0.05
  /// At the start, the running means have not converged yet. Therefore this value is added to
  /// `known`.
  let initialCaution: Float = 0.25
  /// The factor by which `initialCaution` decays per frame of playback. The time constant is 0.2 s.
  let cautionDecay: Float = 0.951
  /// A known echo path becomes unknown after a time without evidence of the path. This time is 0.1
  /// s (this number of frames) plus half the time for which the path was known.
  let minimumUncertainFrames = 10
  /// An echo path becomes unknown after at most this number of frames (1 s) without evidence of the
  /// path.
  let maximumUncertainFrames = 100
  /// A microphone signal below this mean square is digital silence: −120 dBFS. In this case, the
  /// microphone is switched off.
  static let digitalSilence: Float = 1e-12
  /// Playback below this mean square counts as silence: −80 dBFS.
  let minimumPlayback: Float = 1e-8

  // MARK: A changed path

  /// The weight of a new frame in running means over 0.1 s. Running means over 0.1 s show a change
  /// of the echo path after 30…150 ms.
  let changeMean: Float = 0.1
  /// If the echo has stopped, the coherence of the canceller's error with the echo estimate is
  /// negative. The evidence that the echo has stopped is above 0 if the coherence is below
  /// −`goneFrom`. Near-end speech can reach this coherence without a change of the path. In a test
  /// with a `goneFrom` of 0.18, up to 3 % fewer frames with near-end speech were lost in the first
  /// seconds of double talk. However, in this test, the output contained 3 dB more echo after a
  /// change of the room.
  let goneFrom: Float = 0.12
  /// The evidence that the echo has stopped is 1 if the coherence of the canceller's error with the
  /// echo estimate is at most −(`goneFrom` + `goneRange`).
  let goneRange: Float = 0.18
  /// If the echo has become louder, the coherence of the canceller's error with the echo estimate
  /// is positive. The evidence that the echo has become louder is above 0 if the coherence is above
  /// `grownFrom`. Near-end speech can reach this coherence without a change of the path.
  let grownFrom: Float = 0.3
  /// The evidence that the echo has become louder is 1 if the coherence of the canceller's error
  /// with the echo estimate is at least `grownFrom` + `grownRange`.
  let grownRange: Float = 0.3
  /// A change of the path is assumed only if the ratio of the microphone's power to the echo
  /// estimate's power is below this value. If `PathEvidence.growth` is above 1, the ratio is
  /// divided by `growth` before the comparison. With near-end speech 8 dB louder than the echo, the
  /// ratio is below this value in 5 % of the frames.
  let maximumDominance: Float = 2.5
  /// The factor by which the evidence of a change of the path decays per frame. The time constant
  /// is 0.3 s.
  let changeHold: Float = 0.97
  /// Some echo remains after a change of the path. The power of the remaining echo is assumed to be
  /// at least this fraction of the echo estimate's power: −13 dB.
  let minimumGrowth: Float = 0.05
  /// The similarity says how much the output resembles an echo, 0…1. After a change of the echo
  /// path, the estimator assumes that some echo remains. If the similarity is above this value, the
  /// assumed echo rises with the similarity. At a similarity of 1, the estimator assumes that the
  /// whole echo remains. Without the threshold `similarChange`, more frames with near-end speech
  /// would be lost after convergence. In more than half of these lost frames, the similarity was
  /// below `similarChange`.
  let similarChange: Float = 0.5
  /// The weight of a new frame in the fit of the filter while the fit rises. The fit is a measure
  /// of how well the echo estimate matches the microphone signal. The time constant is 0.2 s. While
  /// the fit is low, the error of the filter is only weak evidence of a change of the path.
  /// Near-end speech can match a soft echo estimate by chance. Therefore the fit does not rise
  /// while the echo path is not known.
  let fitRise: Float = 0.05
  /// Per frame, the fit of the filter falls by at most this fraction of the fit. The time constant
  /// is 2 s.
  let fitFall: Float = 0.005

  // MARK: Correlation of patterns

  /// The weight of a new frame in the correlation of the levels of output and expected echo. The
  /// correlation covers about 0.6 s. Over a shorter time, the correlation does not distinguish
  /// near-end speech from distorted echo.
  let patternMean: Float = 1.0 / 60
  /// The weight of a new frame in the correlation of the spectral shapes of output and expected
  /// echo. The correlation covers about 0.3 s.
  let shapeMean: Float = 1.0 / 30
  /// The weight of a new frame in the mean level of each band. The time constant is 2 s.
  let levelMean: Float = 1.0 / 200
  /// A frame is a pause if the power of the playback is at most this fraction (−35 dB) of the
  /// recent maximum of this power. The mean levels ignore pauses. If they included
  /// pauses, they would be low after a pause. Every sound would then exceed them in all bands, and
  /// different sounds would look the same.
  let pauseLevel: Float = 0.000_3
  /// In the first frames of a pause of the playback (0.2 s), the reverberation decays. Therefore
  /// these frames count in the correlation. In later frames of the pause, both the output and the
  /// expected echo have minimum levels. Therefore these later frames do not count. If the later
  /// frames counted, near-end speech that begins together with the playback would resemble an echo.
  let decayFrames = 20
  /// The factor by which the recent maximum of the playback's power decays per frame. The time
  /// constant is 5 s.
  let pauseDecay: Float = 0.998
  /// This power is added to the power of each band before the logarithm is computed: −110 dBFS.
  let minimumLevel: Float = 1e-11
  /// The factor by which the envelope of the expected echo decays per frame.
  let patternDecay: Float = 0.75
  /// The weight of the correlation of spectral shapes in `PatternCorrelation.resemblance`. The
  /// correlation of levels has the weight 1.
  let shapeWeight: Float = 0.5
  /// The output counts as similar to an echo if `PatternCorrelation.resemblance` exceeds this
  /// value. In double talk, `resemblance` exceeds this value in 10 % of the frames.
  let similarFrom: Float = 0.75
  /// The similarity is 0 if the resemblance of the output to an echo is at most `similarFrom`. The
  /// similarity is 1 if the resemblance is at least `similarFrom` + `similarRange`. In a test with
  /// a `similarRange` of 0.2, distorted echo was 1 to 8 dB softer in the output. However, in this
  /// test, 1 to 3 % more of the frames with near-end speech were lost.
  let similarRange: Float = 0.3
  /// At the start of playback, this value is added to `similarFrom`, so that a higher resemblance
  /// is required.
  let startCaution: Float = 0.25
  /// The factor by which `startCaution` decays per frame of playback. The time constant is 1.5 s.
  let startCautionDecay: Float = 0.993_4
  /// Dominance is the ratio of the microphone's power to the echo estimate's power. For each
  /// doubling of the dominance above 2, this value is added to the required resemblance of the
  /// output to an echo. The dominance is below 2 in 95 % of the frames with distorted far-end
  /// speech.
  let dominanceCaution: Float = 0.16
  /// Dominance is the ratio of the microphone's power to the echo estimate's power. If the output
  /// has not resembled the echo for seconds, a special rule applies. Under this rule,
  /// `dissimilarityCaution` is added to `dominanceCaution`, and each doubling of the dominance
  /// above 1 counts. In a test, the far end began to talk during near-end speech. Without this
  /// rule, 7 % of the following frames with near-end speech were lost. With this rule, 3 % of these
  /// frames were lost. If the rule also applied to outputs that resemble the echo, the output would
  /// contain about 30 dB more echo when the clocks drift.
  let dissimilarityCaution: Float = 0.24
  /// The rule of `dissimilarityCaution` applies in full if the mean resemblance of the output to an
  /// echo over 2 s is at most this value. The rule does not apply if the mean resemblance is at
  /// least 1. In double talk, the mean resemblance was below 0.75 in 95 % of the frames. With echo
  /// and clock drift, the mean resemblance was at least 1.03 in 95 % of the frames.
  let echoFrom: Float = 0.85
  /// The fit says how well the echo estimate matches the microphone signal, 0…1. If the fit is
  /// below `reliableFit`, the difference between `reliableFit` and the fit is added to the required
  /// resemblance of the output to an echo. In measurements, the fit was below 0.54 in half of the
  /// frames at the start of double talk. With loudspeakers that distort gently or moderately, the
  /// fit was at least 0.58 in 98 % of the frames. If a loudspeaker clips most of the speech, the
  /// fit is about 0.3. With such a loudspeaker, suppression begins later.
  let reliableFit: Float = 0.7
  /// If the correlation of the spectral shapes of output and expected echo is above this value, the
  /// correlation confirms a change of the echo path.
  let shapeFrom: Float = 0.2
  /// A change of the echo path is fully confirmed if the correlation of the spectral shapes is at
  /// least `shapeFrom` + `shapeRange`.
  let shapeRange: Float = 0.2

  // MARK: Strong distortion

  /// Dominance is the ratio of the microphone's power to the echo estimate's power. A frame can be
  /// evidence of strong distortion only if the dominance is above this value. If the dominance is
  /// lower, the echo estimate has more than a quarter of the microphone's power, so the filter
  /// works well.
  let distortedDominance: Float = 4
  /// The maximum number of frames (1.5 s) over which the resemblance of the output to an echo is
  /// averaged.
  let distortedFrames: Float = 150
  /// The mean resemblance of the output to an echo starts as a mean over this number of frames with
  /// the resemblance 0. Because of these frames, the first syllables are not evidence of
  /// distortion.
  let distortedStart: Float = 30
  /// The evidence of strong distortion is above 0 if the mean resemblance of the output to an echo
  /// exceeds this value. Without echo, the mean resemblance was at most 0.60. With near-end speech
  /// that is 8 dB louder than the echo, the mean resemblance was at most 0.94.
  let distortedFrom: Float = 0.9
  /// The evidence of strong distortion is 1 if the mean resemblance is at least `distortedFrom` +
  /// `distortedRange`. Nine recorded scenes with strong distortion were measured. In eight of the
  /// nine scenes, the mean resemblance exceeded 0.95 after 2…10 s. In the ninth scene, the mean
  /// resemblance exceeded 0.95 after 23 s.
  let distortedRange: Float = 0.1
  /// The echo path becomes known when the evidence of strong distortion rises above this value. The
  /// path stays known until this evidence has fallen to 0.
  let distortedKnown: Float = 0.3
  /// If the distortion is strong, this value is added to `maximumFraction`. Therefore the assumed
  /// echo can be 26 dB louder than the echo estimate.
  let distortedFraction: Float = 400

  // MARK: Power of the residual

  /// The factor by which the power of the echo decays per frame, for a reverberation time of 0.8 s.
  let decay: Float = 0.84
  /// Late reverberation is reverberation beyond the length of the filter. Per frame, the power of
  /// late reverberation is multiplied by this factor.
  let lateDecay: Float = 0.89
  /// The number of frames by which the late reverberation is delayed (0.2 s).
  let lateDelay = 20
  /// The maximum ratio of the mean power of the echo to the mean power of the reference in a band.
  /// The estimate of the power of distortion uses this ratio.
  let maximumTransfer: Float = 30
  /// The minimum of each of the three fractions in `ResidualEcho`: of the echo estimate, of the
  /// playback, and of the earlier echo estimate. The first minimum is 0.003. The residual echo is
  /// therefore expected to be at most 25 dB softer than the echo, and near-end speech that is
  /// softer is suppressed.
  let minimumFractions = SIMD3<Float>(0.003, 1e-5, 0.002)
  /// The initial values of the three fractions in `ResidualEcho`.
  let initialFractions = SIMD3<Float>(0.03, 0.003, 0.02)
  /// The maximum of each fraction in `ResidualEcho`.
  let maximumFraction: Float = 4
  /// The rate at which the fractions of `ResidualEcho` adapt per frame. The time constant is 0.2 s.
  let learningRate: Float = 0.05
  /// Distortion is strong in loud syllables, and weak between the syllables. Therefore the
  /// fractions of `ResidualEcho` must fall slowly while the output is echo. The more the
  /// output resembles the echo, the slower is the fall: at most by the factor 1 − `hold`.
  let hold: Float = 0.5
  /// The noise estimate is the minimum power over two consecutive periods. A period has this number
  /// of frames (0.75 s).
  let noiseFrames = 75

  // MARK: Gain

  /// The gain of echo suppression has its minimum if the ratio of the output's power to the
  /// expected echo's power is at most this value.
  let margin: Float = 1.5
  /// If the output resembles an echo, at most this value is added to `margin`.
  let similarMargin: Float = 30
  /// After a change of the path, at most this value is added to `margin`. If the output also
  /// resembles an echo, only the larger of two additions counts: the addition for `changedMargin`
  /// or the addition for `similarMargin`.
  let changedMargin: Float = 4
  /// The minimum gain: −60 dB.
  let minimumGain: Float = 1e-3

  // MARK: Report

  /// The levels in a report are means over this number of frames with echo (2 s).
  let measuredFrames = 200
  /// A report contains levels after this number of frames with echo (0.3 s).
  let minimumMeasuredFrames = 30

  // MARK: Weak echo

  /// An echo is strong if the ratio of its power to the playback's power is above this value (−25
  /// dB). Headphones cannot cause a strong echo. Headsets attenuate the echo by 35 dB or more. An
  /// echo no longer counts as strong when the ratio is 3 dB below this value.
  let strongEcho: Float = 0.003_2

  // MARK: Near voice

  /// A voice can be near-end speech if the near-end signal has more than this fraction of the
  /// output's power.
  let nearRatio: Float = 0.5
  /// A frame is mostly echo if the coherence of the microphone signal and the echo estimate is at
  /// least this value. With near-end speech as loud as the echo, the coherence is lower in 95 % of
  /// the frames.
  let maximumCoherence: Float = 0.72
  /// If there is no evidence of an echo path, the whole microphone signal counts as possible echo
  /// for this number of frames of playback (0.8 s).
  let trustFrames = 80
  /// If the microphone is silent at the start of playback (see `earlyFrames`), this number of
  /// frames (1.5 s) is used instead of `trustFrames`. The microphone may be silent because a device
  /// has a long delay. Therefore `lateTrustFrames` is larger than `trustFrames`.
  let lateTrustFrames = 150
  /// The start of playback has this number of frames (0.2 s). If the microphone is not silent at
  /// the start of playback, `trustFrames` applies.
  let earlyFrames = 20
  /// After the delay search has found a delay, the whole microphone signal counts as possible echo
  /// for at least this number of frames (0.3 s). An echo path with the found delay becomes known
  /// within 0.1 s.
  let delayTrustFrames = 30
  /// A frame counts as noise if the output is at most 6 dB louder than the noise in the output. The
  /// constant is the ratio of the two powers.
  let noiseMargin: Float = 4
  /// An echo may be audible in noise if the power of the echo exceeds this fraction of the noise
  /// power: −20 dB.
  let audibleEcho: Float = 0.01
  /// The assumed power gain of an echo path that is not known yet: −20 dB. An echo that is 10 dB
  /// softer than the noise may never become known. Without this assumed gain, such an echo would
  /// count as near-end speech.
  let possiblePathGain: Float = 0.01
  /// While an echo may be audible, a voice must be 8 dB louder than the noise. In the comparison,
  /// `noiseMargin` times the noise power is first subtracted from the output's power. The
  /// difference must exceed this multiple of the noise power. This was measured without near-end
  /// speech, in noise that was up to 15 dB louder than the echo: the difference exceeded this
  /// multiple in fewer than 10 % of the frames.
  let nearNoise: Float = 2
  /// The noise is subtracted from the output. If the remaining power is at least 20 dB below the
  /// recent peak power of the playback, the microphone counts as silent.
  let minimumHeard: Float = 0.01
  /// After an echo path has become known, the whole microphone signal counts as possible echo for
  /// this number of frames (0.5 s). The filter converges in these 0.5 s. While the filter
  /// converges, the error of the filter is coherent with the echo estimate, as after a change of
  /// the echo path. Therefore the evidence of a change has no weight until the echo estimate has
  /// been audible for 0.5 s. The evidence of a change has its full weight after 1 s.
  let convergingFrames = 50
  /// The maximum power gain from loudspeaker to microphone: 30 dB.
  let maximumEchoGain: Float = 1_000
}

extension Float {
  /// The position of this number in a range. The position is 0 if the number is at most `low`, and
  /// 1 if the number is at least `low` + `range`. Between `low` and `low` + `range`, the position
  /// rises linearly.
  @inline(__always)
  func position(from low: Float, range: Float) -> Float {
    Swift.min(Swift.max((self - low) / range, 0), 1)
  }
}
