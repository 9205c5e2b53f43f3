internal import HearingDSP
internal import HearingBuffers

/// Suppresses residual echo and noise in the spectrum of the microphone signal. The latency is 10
/// ms.
///
/// The gains from ``EchoEstimator`` suppress residual echo, and the gains from ``SpeechNetwork``
/// suppress noise.
///
/// If neither echo nor noise is suppressed, the stage is off. While the stage is off, samples pass
/// unchanged and without latency. The stage switches on and off with a cross-fade of 10 ms. If the
/// stage is on from the first sample, there is no cross-fade, and the first 10 ms of the output are
/// nearly silent.
struct SuppressionStage: RenderStage, ~Copyable {
  /// Whether residual echo is suppressed.
  var suppressesEcho = false
  /// The strength of echo suppression, 0…1. At strength 1, echo is reduced fully. At strength 0,
  /// echo is not reduced.
  var echoStrength: Float = 1
  /// The strength of noise suppression, 0…1.
  var noiseSuppression: Float = 0
  /// Whether comfort noise replaces the room noise that echo suppression removes.
  var addsComfortNoise = false

  private var frames: ShortTimeFrames
  private var noise: NoiseSpectrum
  private var bands: SpeechBands
  private var network = SpeechNetwork()
  /// The levels of the bands, two values per band.
  private let levels = OwnedRow<Float>.filled(0, count: SpeechBands.inputCount)
  /// The gains that suppress noise, one value per bin.
  private let noiseGains: OwnedRow<Float>
  /// Whether noise was suppressed in the last frame.
  private var suppressesNoise = false
  private var comfort = ComfortNoise()
  /// The power of the signal, one value per bin.
  private let signalPower: OwnedRow<Float>
  /// The gains that suppress residual echo, one value per bin.
  private let echoGains: OwnedRow<Float>
  /// The cross-fade between the input signal and the suppressed signal. The suppressed signal has a
  /// delay of 10 ms. Therefore a fade to the suppressed signal starts 10 ms after the stage is
  /// switched on.
  private var fade: SwitchFade
  private var hasBegun = false
  private var isRunning = false

  init(sampleRate: Double) {
    frames = ShortTimeFrames(sampleRate: sampleRate)
    noise = NoiseSpectrum(stride: frames.stride)
    bands = SpeechBands(bins: frames.bins, sampleRate: sampleRate)
    noiseGains = .filled(0, count: frames.stride)
    fade = SwitchFade(length: frames.latency)
    signalPower = .filled(0, count: frames.stride)
    echoGains = .filled(0, count: frames.stride)
  }

  /// Whether echo or noise is suppressed.
  private var isEnabled: Bool { suppressesEcho || noiseSuppression > 0 }

  /// The latency in samples when no cross-fade is in progress. The latency is 0 if neither echo nor
  /// noise is suppressed.
  var latency: Int { isEnabled ? frames.latency : 0 }

  mutating func process(_ run: inout UplinkRun) {
    fade.isOn = isEnabled
    if !hasBegun { fade.settle() }
    hasBegun = true
    isRunning = isRunning && !fade.isOff
    if fade.isOff { return }
    if !isRunning {
      frames.reset()
      noise.reset()
      fade.delay = fade.isComplete ? 0 : frames.latency
      (suppressesNoise, isRunning) = (false, true)
    }
    CallBlock.copy(run.samples, to: fade.direct.row, count: run.frameCount)
    var done = 0
    while done < run.frameCount {
      let count = min(frames.hop - frames.filled, run.frameCount - done)
      let isComplete = frames.exchange(run.samples.from(done), count: count)
      done += count
      if isComplete {
        // The decision on echo can change only at the end of the run. If a frame of the Fourier
        // transform ends earlier, the decision from the start of the run applies.
        suppress(done == run.frameCount ? run.echoAfter : run.echoBefore)
      }
    }
    fade.blend(run.samples, count: run.frameCount)
  }

  mutating func reset() {
    (hasBegun, isRunning, comfort) = (false, false, ComfortNoise())
  }

  /// Suppresses echo and noise in the newest frame.
  private mutating func suppress(_ echo: EchoDecision?) {
    frames.analyze()
    frames.spectra.writePower(to: signalPower.row, count: frames.stride)
    let floor = Float4(repeating: -noiseSuppression * Self.maximumReduction).powerOfTwo[0]
    noise.update(signal: signalPower.row, echo: echo?.residual)
    if noiseSuppression > 0 {
      // After a time without noise suppression, the state of the network is out of date.
      if !suppressesNoise {
        bands.reset()
        network.reset()
      }
      bands.measure(signalPower.row, to: levels.row)
      network.update(levels: levels.row)
      bands.interpolation.interpolate(network.gains.row, to: noiseGains.row, minimum: floor)
    }
    suppressesNoise = noiseSuppression > 0
    let isEchoSuppressed = suppressesEcho && echo?.isEcho == true
    for bin in groupStarts(frames.stride) {
      var gain = suppressesNoise ? noiseGains.float4(at: bin) : Float4(repeating: 1)
      if isEchoSuppressed, let echo {
        let echoGain = (echo.gains.float4(at: bin) - 1) * echoStrength + 1
        echoGains.setFloat4(echoGain, at: bin)
        gain *= echoGain
      }
      frames.spectra.setBins(frames.spectra.bins(at: bin) * gain, at: bin)
    }
    if isEchoSuppressed && addsComfortNoise {
      comfort.add(to: frames, noise: noise.power.row, echoGains: echoGains.row, noiseGain: floor)
    }
    frames.synthesize()
  }

  /// The maximum noise reduction: 40 dB, as the logarithm to base 2 of an amplitude ratio.
  private static let maximumReduction: Float = 6.644
}
