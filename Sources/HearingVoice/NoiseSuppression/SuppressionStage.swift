internal import HearingDSP
internal import HearingBuffers

/// Suppresses residual echo and noise in the spectrum of the uplink, with a latency of 10 ms.
///
/// Residual echo is suppressed with the canceller's estimate of it; noise is suppressed with a
/// recurrent network that recognises speech (``SpeechGain``).
///
/// If nothing is to be suppressed, the stage is off: samples pass unchanged and without latency. It
/// switches on and off with a cross-fade of 10 ms.
struct SuppressionStage: RenderStage, ~Copyable {
  /// Whether residual echo is suppressed.
  var suppressesEcho = false
  /// The strength of echo suppression, 0…1: the fraction of the gain reduction that is applied.
  var echoStrength: Float = 1
  /// The strength of noise suppression, 0…1.
  var noiseSuppression: Float = 0
  /// Whether noise like that of the room replaces the room noise that echo suppression removes.
  var addsComfortNoise = false

  private var frames: ShortTimeFrames
  private var noise: NoiseSpectrum
  private var speech: SpeechGain
  /// Whether the last frame's noise was suppressed.
  private var suppressesNoise = false
  private var comfort = ComfortNoise()
  private let memory: FloatMemory
  /// Power of the signal, and gains against echo, `[bin]`.
  private let signalPower: Row<Float>
  private let echoGains: Row<Float>
  /// The undelayed samples of a run, for the cross-fade.
  private let direct: Row<Float>
  private let fadeCurve: OwnedRow<Float>

  /// The cross-fade from the undelayed to the suppressed signal; it starts once the delay is
  /// filled.
  private var fade: CrossFade
  private var warmUp = 0
  private var isRunning = false

  /// - Parameter capacity: The maximum length of a run.
  init(sampleRate: Double, capacity: Int) {
    frames = ShortTimeFrames(sampleRate: sampleRate)
    noise = NoiseSpectrum(stride: frames.stride)
    speech = SpeechGain(bins: frames.bins, stride: frames.stride, sampleRate: sampleRate)
    fade = CrossFade(length: frames.latency)
    var memory = FloatMemory(capacity: 2 * frames.stride + capacity)
    signalPower = memory.allocate(frames.stride)
    echoGains = memory.allocate(frames.stride)
    direct = memory.allocate(capacity)
    self.memory = memory
    fadeCurve = fade.raisedCosine
  }

  /// Whether there is something to suppress.
  private var isEnabled: Bool { suppressesEcho || noiseSuppression > 0 }

  /// The latency in samples when no cross-fade is running; 0 if nothing is suppressed.
  var latency: Int { isEnabled ? frames.latency : 0 }

  mutating func process(_ run: inout UplinkRun) {
    guard isEnabled || fade.position > 0 else {
      isRunning = false
      return
    }
    if !isRunning { restart() }
    for index in 0..<run.frameCount { direct[index] = run.samples[index] }
    var done = 0
    while done < run.frameCount {
      let count = min(frames.hop - frames.filled, run.frameCount - done)
      let isComplete = frames.exchange(run.samples.from(done), count: count)
      done += count
      if isComplete {
        suppress(done == run.frameCount ? run.echoAfter : run.echoBefore)
      }
    }
    blend(run)
  }

  /// Fades between the undelayed and the suppressed signal.
  private mutating func blend(_ run: UplinkRun) {
    fade.isOn = isEnabled
    if fade.isComplete { return }
    for index in 0..<run.frameCount {
      if isEnabled && warmUp > 0 { warmUp -= 1 } else { fade.advance() }
      let gain = fadeCurve[fade.position]
      run.samples[index] = gain * run.samples[index] + (1 - gain) * direct[index]
    }
  }

  /// Starts with an empty delay.
  private mutating func restart() {
    frames.reset()
    noise.reset()
    suppressesNoise = false
    memory.clear()
    warmUp = frames.latency
    isRunning = true
  }

  mutating func reset() {
    fade.settle(isOn: false)
    isRunning = false
  }

  /// Suppresses echo and noise in the newest frame.
  private mutating func suppress(_ echo: EchoDecision?) {
    frames.analyze()
    let (stride, spectra) = (frames.stride, frames.spectra.real.row)
    let imaginary = frames.spectra.imaginary.row
    var bin = 0
    while bin < stride {
      let (x, y) = (spectra.float4(at: bin), imaginary.float4(at: bin))
      signalPower.setFloat4(x * x + y * y, at: bin)
      bin += 4
    }
    let floor = Float4(repeating: -noiseSuppression * Self.maximumReduction).powerOfTwo[0]
    noise.update(signal: signalPower, echo: echo?.residual)
    if noiseSuppression > 0 {
      // After a break, the old state is no longer valid.
      if !suppressesNoise { speech.reset() }
      speech.update(signal: signalPower, floor: floor)
    }
    suppressesNoise = noiseSuppression > 0
    let isEchoSuppressed = suppressesEcho && echo?.isEcho == true
    if isEchoSuppressed, let echo { computeEchoGains(echo) }
    applyGains(isEchoSuppressed)
    if isEchoSuppressed && addsComfortNoise {
      comfort.add(to: frames, noise: noise.power, echoGains: echoGains, noiseGain: floor)
    }
    frames.synthesize()
  }

  /// Computes the gains against residual echo at `echoStrength`.
  private func computeEchoGains(_ echo: EchoDecision) {
    var bin = 0
    while bin < frames.stride {
      echoGains.setFloat4((echo.gains.float4(at: bin) - 1) * echoStrength + 1, at: bin)
      bin += 4
    }
  }

  /// Multiplies the spectrum by the gains.
  private func applyGains(_ isEchoSuppressed: Bool) {
    let (real, imaginary) = (frames.spectra.real.row, frames.spectra.imaginary.row)
    for bin in 0..<frames.bins {
      var gain: Float = suppressesNoise ? speech.gains[bin] : 1
      if isEchoSuppressed { gain *= echoGains[bin] }
      real[bin] *= gain
      imaginary[bin] *= gain
    }
  }

  /// The maximum reduction of noise in powers of two: 24 dB.
  private static let maximumReduction: Float = 3.986
}
