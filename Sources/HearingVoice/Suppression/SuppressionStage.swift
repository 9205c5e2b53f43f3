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
  /// The strength of echo suppression, 0…1: the share of the estimated echo that counts.
  var echoStrength: Float = 1
  /// The strength of noise suppression, 0…1.
  var noiseSuppression: Float = 0
  /// Whether noise like that of the room replaces the room noise that echo suppression removes.
  var addsComfortNoise = false

  private var frames: ShortTimeFrames
  private var echo: ResidualEchoSpectrum
  private var path: PathEvidence
  private var noise: NoiseSpectrum
  private var speech: SpeechGain
  /// Whether the last frame's noise was suppressed.
  private var suppressesNoise = false
  private var comfort = ComfortNoise()
  private let memory: FloatMemory
  /// Power of the signal, of the echo estimate, and of the last frame after echo suppression, `[bin]`.
  private let signalPower: Row<Float>
  private let echoPower: Row<Float>
  private let cleanPower: Row<Float>
  /// The undelayed samples of a run, for the cross-fade.
  private let direct: Row<Float>
  private let fade: OwnedRow<Float>

  /// Gain for the whole spectrum while only echo is heard.
  private var echoOnlyGain: Float = 1
  private var inputEnergy: Float = 0
  private var outputEnergy: Float = 0
  /// The position of the cross-fade, 0…`fadeLength`; the delay is filled before it starts.
  private var place = 0
  private var warmUp = 0
  private var isRunning = false
  private let fadeLength: Int

  /// - Parameter capacity: The greatest length of a run.
  init(sampleRate: Double, capacity: Int) {
    frames = ShortTimeFrames(sampleRate: sampleRate)
    echo = ResidualEchoSpectrum(
      bins: frames.bins, stride: frames.stride, sampleRate: sampleRate)
    path = PathEvidence(bins: frames.bins, sampleRate: sampleRate)
    noise = NoiseSpectrum(stride: frames.stride)
    speech = SpeechGain(bins: frames.bins, stride: frames.stride, sampleRate: sampleRate)
    fadeLength = frames.latency
    var memory = FloatMemory(capacity: 3 * frames.stride + capacity)
    signalPower = memory.take(frames.stride)
    echoPower = memory.take(frames.stride)
    cleanPower = memory.take(frames.stride)
    direct = memory.take(capacity)
    self.memory = memory
    fade = RaisedCosine.curve(steps: fadeLength)
  }

  /// Whether there is something to suppress.
  private var isWanted: Bool { suppressesEcho || noiseSuppression > 0 }

  /// The latency in samples once it is switched on or off.
  var latency: Int { isWanted ? frames.latency : 0 }

  mutating func process(_ run: inout UplinkRun) {
    guard isWanted || place > 0 else {
      isRunning = false
      return
    }
    if !isRunning { restart() }
    for index in 0..<run.frameCount { direct[index] = run.samples[index] }
    var done = 0
    while done < run.frameCount {
      let count = min(frames.hop - frames.filled, run.frameCount - done)
      var (estimate, microphone): (Row<Float>?, Row<Float>?)
      if let echo = run.echo { estimate = echo.from(done) }
      if let heard = run.microphone { microphone = heard.from(done) }
      if frames.exchange(
        run.samples.from(done), other: estimate, third: microphone, count: count)
      {
        suppress(run)
      }
      done += count
    }
    blend(run)
  }

  /// Fades between the undelayed and the suppressed signal.
  private mutating func blend(_ run: UplinkRun) {
    if isWanted && place == fadeLength { return }
    for index in 0..<run.frameCount {
      if isWanted && warmUp > 0 {
        warmUp -= 1
      } else if isWanted && place < fadeLength {
        place += 1
      } else if !isWanted && place > 0 {
        place -= 1
      }
      let gain = fade[place]
      run.samples[index] = gain * run.samples[index] + (1 - gain) * direct[index]
    }
  }

  /// Starts with an empty delay.
  private mutating func restart() {
    frames.reset()
    echo.reset()
    path.reset()
    noise.reset()
    suppressesNoise = false
    memory.clear()
    (echoOnlyGain, inputEnergy, outputEnergy) = (1, 0, 0)
    warmUp = frames.latency
    isRunning = true
  }

  mutating func reset() {
    place = 0
    isRunning = false
  }

  /// Suppresses echo and noise in the newest frame.
  private mutating func suppress(_ run: UplinkRun) {
    frames.analyze()
    let (stride, spectra) = (frames.stride, frames.spectra.real.row)
    let imaginary = frames.spectra.imaginary.row
    var bin = 0
    while bin < stride {
      let (x, y) = (spectra.float4(at: bin), imaginary.float4(at: bin))
      signalPower.setFloat4(x * x + y * y, at: bin)
      let (u, v) = (spectra.float4(at: stride + bin), imaginary.float4(at: stride + bin))
      echoPower.setFloat4(u * u + v * v, at: bin)
      bin += 4
    }
    path.update(frames.spectra, bins: frames.bins, stride: stride)
    echo.update(
      output: signalPower, echo: echoPower, expectedError: run.expectedEchoError,
      isPathKnown: path.isKnown, share: echoStrength)
    let floor = Float4(repeating: -noiseSuppression * Self.greatestReduction).powerOfTwo[0]
    noise.update(signal: signalPower, echo: echo.power)
    if noiseSuppression > 0 {
      // The sound before a break says nothing about the sound after it.
      if !suppressesNoise { speech.reset() }
      speech.update(signal: signalPower, floor: floor)
    }
    suppressesNoise = noiseSuppression > 0
    if suppressesEcho { computeEchoGains() }
    applyGains()
    if suppressesEcho && addsComfortNoise && echo.isPlaying {
      comfort.add(
        to: frames, noise: noise.power, echoGains: echoPower, echoOnlyGain: echoOnlyGain,
        noiseGain: floor)
    }
    frames.synthesize()
  }

  /// Computes the gains against residual echo in `echoPower`, by the decision-directed ratio of near
  /// sound to echo.
  private mutating func computeEchoGains() {
    var (input, output) = (Float4.zero, Float4.zero)
    let (least, most) = (Float4(repeating: 0.01), Float4(repeating: 1_000))
    var bin = 0
    while bin < frames.stride {
      let (signal, residual) = (signalPower.float4(at: bin), echo.power.float4(at: bin))
      let ratio = signal / residual
      let posterior = ratio.replacing(with: most, where: ratio .> most)
      let excess = posterior - 1
      let instant = excess.replacing(with: Float4.zero, where: excess .< Float4.zero)
      let prior = cleanPower.float4(at: bin) / residual * 0.9 + instant * 0.1
      let wiener = prior / (prior + 1)
      // A huge ratio divides infinity by infinity.
      let safe = wiener.replacing(with: Float4(repeating: 1), where: wiener .!= wiener)
      let gain = safe.replacing(with: least, where: safe .< least)
      let clean = gain * gain * signal
      cleanPower.setFloat4(clean.withoutTraces, at: bin)
      echoPower.setFloat4(gain, at: bin)
      input += signal
      output += clean
      bin += 4
    }
    inputEnergy = inputEnergy * 0.9 + (input[0] + input[1] + input[2] + input[3]) * 0.1
    outputEnergy = outputEnergy * 0.9 + (output[0] + output[1] + output[2] + output[3]) * 0.1
    // Only little sound passes: everything is echo, and the rest is lowered as well.
    let passed = outputEnergy / (inputEnergy + 1e-17)
    let lowest = echo.isPlaying ? min(max(passed * 5, 0.02), 1) : 1
    let target = 1 + (lowest - 1) * echoStrength
    echoOnlyGain = target > echoOnlyGain ? target : echoOnlyGain + (target - echoOnlyGain) * 0.1
  }

  /// Multiplies the spectrum by the gains.
  private func applyGains() {
    let (real, imaginary) = (frames.spectra.real.row, frames.spectra.imaginary.row)
    for bin in 0..<frames.bins {
      var gain: Float = suppressesNoise ? speech.gains[bin] : 1
      if suppressesEcho { gain *= echoPower[bin] * echoOnlyGain }
      real[bin] *= gain
      imaginary[bin] *= gain
    }
  }

  /// The greatest reduction of noise in powers of two: 24 dB.
  private static let greatestReduction: Float = 3.986
}
