import Foundation
import HearingAudio
import HearingDSP
import HearingFitting

/// Measures a processor with test signals, similar to ANSI S3.22 and 21 CFR 800.30.
///
/// The gains of one ear also depend on the level at the other ear. Therefore all channels get the
/// same signal.
struct DataSheetMeasurement {
  let processor: BandGainProcessor
  let calibration: Calibration

  /// The frequencies of the tones in Hz: 99 Hz to 8 kHz, a sixth of an octave apart. For the
  /// high-frequency average (HFA), 1587 and 2520 Hz replace the standard's 1600 and 2500 Hz.
  static let frequencies = (-20...18).map { 1000 * exp2(Double($0) / 6) }
  static let averaged = [20, 24, 28]
  /// The time in seconds during which gains settle before a measurement.
  private static let settling = 1.0

  private var rate: Double { processor.spec.sampleRate }
  private var nyquist: Double { rate / 2 }

  /// Measures each ear. `channel` is the index of the channel that the ear hears.
  func sheets(_ ears: [(ear: Ear, channel: Int, preset: EarPreset)]) -> [DataSheet.EarSheet] {
    let levels = [50.0, 60, 90].map { level in
      Self.frequencies.map { outputs(of: tone(at: $0, level: level, seconds: 0.2)) }
    }
    let distortions = [(500.0, 70.0), (800, 70), (1600, 65)].map { frequency, level in
      (frequency, level, distortion(at: frequency, level: level))
    }
    let inputs = Array(stride(from: 40.0, through: 100, by: 10))
    let curves = [250.0, 500, 1000, 2000, 4000].map { frequency in
      (frequency, inputs.map { outputs(of: tone(at: frequency, level: $0, seconds: 0.2)) })
    }
    let noise = noise
    let (latency, times, roughness) = (latency, times, roughness)
    return ears.map { ear, channel, preset in
      let channelLevels = { (index: Int) in levels[index].map { $0[channel] } }
      let (soft, medium, loud) = (channelLevels(0), channelLevels(1), channelLevels(2))
      let couplerShift = Self.frequencies.map {
        LevelPlane.freeField.level(0, at: $0, in: .coupler)
      }
      let couplerLoud = zip(loud, couplerShift).map(+)
      let couplerSoftGain = zip(soft, couplerShift).map { $0 - 50 + $1 }
      let couplerGain = zip(medium, couplerShift).map { $0 - 60 + $1 }
      let maximumIndex = couplerLoud.indices.max { couplerLoud[$0] < couplerLoud[$1] } ?? 0
      let average = { (values: [Double]) in
        Self.averaged.map { values[$0] }.reduce(0, +) / Double(Self.averaged.count)
      }
      let cutoffs = Self.cutoffs(couplerGain, above: average(couplerGain) - 20)
      return DataSheet.EarSheet(
        ear: ear.rawValue, frequencies: Self.frequencies, outputAt90: loud,
        couplerOutputAt90: couplerLoud,
        permittedOutput: Self.frequencies.map { preset.largestOutput(at: $0, in: .freeField) },
        gainAt50: soft.map { $0 - 50 },
        gainAt60: medium.map { $0 - 60 }, couplerGainAt60: couplerGain,
        maximumCouplerOutput: couplerLoud[maximumIndex],
        maximumCouplerOutputFrequency: Self.frequencies[maximumIndex],
        outputLimit: EarPreset.maximumOutputLimit(isLevelDependent: preset.isLevelDependent),
        averageOutputAt90: average(couplerLoud), fullOnGain: average(couplerSoftGain),
        referenceTestGain: min(average(couplerLoud) - 77, average(couplerGain)),
        lowerCutoff: cutoffs.lower, upperCutoff: cutoffs.upper,
        distortion: distortions.map {
          DataSheet.Distortion(frequency: $0, level: $1, percent: $2[channel])
        },
        selfNoise: noise[channel].isFinite ? noise[channel] : nil, latency: latency[channel],
        attack: times[channel].attack, release: times[channel].release,
        roughness: roughness[channel],
        inputOutput: curves.map { frequency, outputs in
          DataSheet.InputOutput(
            frequency: frequency, inputs: inputs, outputs: outputs.map { $0[channel] })
        })
    }
  }

  /// A tone. Only the last `measured` samples are measured, which are a whole number of periods.
  private struct Signal {
    var samples: [Float]
    let measured: Int
    /// The angular frequency in radians per sample.
    let step: Double
  }

  private func tone(at frequency: Double, level: Double, seconds: Double) -> Signal {
    let periods = max(1, (frequency * seconds).rounded())
    let measured = Int((periods * rate / frequency).rounded())
    let step = 2 * Double.pi * periods / Double(measured)
    let amplitude = calibration.peakAmplitude(ofSineAt: level)
    var samples = [Float](repeating: 0, count: Int(rate * Self.settling) + measured)
    Self.oscillate(samples.count, step: step) { frame, sine, _ in
      samples[frame] = Float(amplitude * sine)
    }
    return Signal(samples: samples, measured: measured, step: step)
  }

  /// Calls `body` with the sine and the cosine of `phase + step * frame` for each frame.
  private static func oscillate(
    _ count: Int, step: Double, phase: Double = 0,
    _ body: (_ frame: Int, _ sine: Double, _ cosine: Double) -> Void
  ) {
    let (stepSine, stepCosine) = (sin(step), cos(step))
    var (sine, cosine) = (sin(phase), cos(phase))
    for frame in 0..<count {
      body(frame, sine, cosine)
      (sine, cosine) = (
        sine * stepCosine + cosine * stepSine, cosine * stepCosine - sine * stepSine
      )
    }
  }

  /// Processes the same samples in every channel. The processor is reset before and afterwards.
  private func process(_ samples: [Float]) -> [[Float]] {
    let block = AudioBlock(Array(repeating: samples, count: processor.spec.channelCount))
    processor.reset()
    processor.process(block)
    processor.reset()
    return block.samples
  }

  /// The RMS level of the samples in dB SPL.
  private func level(_ samples: ArraySlice<Float>) -> Double {
    let energy = samples.reduce(0.0) { $0 + Double($1) * Double($1) }
    return 10 * log10(energy / Double(samples.count)) + calibration.fullScaleSPL
  }

  private func outputs(of signal: Signal) -> [Double] {
    process(signal.samples).map { level($0.suffix(signal.measured)) }
  }

  /// The amplitude of the component at an angular frequency of `step` radians per sample.
  private static func amplitude(of samples: ArraySlice<Float>, step: Double) -> Double {
    let samples = Array(samples)
    var (inPhase, quadrature) = (0.0, 0.0)
    oscillate(samples.count, step: step) { frame, sine, cosine in
      inPhase += Double(samples[frame]) * cosine
      quadrature += Double(samples[frame]) * sine
    }
    return 2 * hypot(inPhase, quadrature) / Double(samples.count)
  }

  /// The total harmonic distortion in percent, for each channel. It contains the 2nd to the 10th
  /// harmonic.
  private func distortion(at frequency: Double, level: Double) -> [Double] {
    let signal = tone(at: frequency, level: level, seconds: 0.2)
    return process(signal.samples).map { output in
      let steady = output.suffix(signal.measured)
      let harmonics = (2...10).filter { Double($0) * frequency < nyquist }.map {
        Self.amplitude(of: steady, step: signal.step * Double($0))
      }
      let sum = harmonics.reduce(0) { $0 + $1 * $1 }.squareRoot()
      return 100 * sum / Self.amplitude(of: steady, step: signal.step)
    }
  }

  /// The output level in dB SPL for digital silence at the input, for each channel.
  private var noise: [Double] {
    process(Array(repeating: 0, count: Int(rate))).map { level($0.suffix(Int(rate) / 2)) }
  }

  /// The latency in milliseconds for each channel: the delay of the peak of a click of 60 dB SPL.
  private var latency: [Double] {
    var click = [Float](repeating: 0, count: Int(rate / 10))
    let start = click.count / 2
    click[start] = Float(calibration.peakAmplitude(ofSineAt: 60))
    return process(click).map { output in
      let peak = output.indices.max { abs(output[$0]) < abs(output[$1]) } ?? start
      return Double(peak - start) * 1000 / rate
    }
  }

  /// The attack and release times in milliseconds, for each channel.
  ///
  /// The level of a tone at 2 kHz steps from 55 to 90 dB SPL and back. The attack time ends when
  /// the output level stays within 3 dB of its final value. For the release time, the limit is 4
  /// dB.
  private var times: [(attack: Double, release: Double)] {
    let period = Int((rate / 2000).rounded())
    let tone = { [self] (level: Double, periods: Int) in
      let amplitude = calibration.peakAmplitude(ofSineAt: level)
      return (0..<periods * period).map {
        Float(amplitude * sin(2 * .pi * Double($0 % period) / Double(period)))
      }
    }
    let (soft, loud, end) = (6000, 3000, 10_000)
    let samples = tone(55, soft) + tone(90, loud) + tone(55, end)
    return process(samples).map { output in
      let levels = (0..<output.count / period).map {
        level(output[$0 * period..<($0 + 1) * period])
      }
      func duration(_ periods: Range<Int>, within tolerance: Double) -> Double {
        let final = levels[periods.upperBound - 1]
        let last = periods.last { abs(levels[$0] - final) > tolerance } ?? periods.lowerBound - 1
        return Double((last + 1 - periods.lowerBound) * period) * 1000 / rate
      }
      return (
        duration(soft..<soft + loud, within: 3), duration(soft + loud..<levels.count, within: 4)
      )
    }
  }

  /// The roughness in dB for pink noise at 65 dB SPL, for each channel.
  ///
  /// The level of each third-octave band from 250 Hz to 5 kHz is compared with the mean level of
  /// two other bands. One of these bands is two thirds of an octave below, the other is two thirds
  /// of an octave above. The roughness is the maximum difference.
  ///
  /// The noise is a sum of tones with equal levels, a twelfth of an octave apart.
  private var roughness: [Double] {
    let steps = Array(-42...42)
    let tones = steps.map { (1000 * exp2(Double($0) / 12)).rounded() }.filter { $0 < nyquist }
    let amplitude =
      calibration.peakAmplitude(ofSineAt: 65) / Double(tones.count).squareRoot()
    let second = Int(rate)
    var period = [Double](repeating: 0, count: second)
    for (index, frequency) in tones.enumerated() {
      let phase = .pi * Double(index * index) / Double(tones.count)
      Self.oscillate(second, step: 2 * .pi * frequency / rate, phase: phase) { frame, sine, _ in
        period[frame] += amplitude * sine
      }
    }
    let row = period.map { Float($0) }
    return process(row + row + row).map { output in
      let steady = output.suffix(second)
      let powers = tones.map { frequency in
        pow(Self.amplitude(of: steady, step: 2 * .pi * frequency / rate), 2)
      }
      // The levels of third-octave bands, each centred at one of the tones.
      let third = powers.indices.map { index in
        10 * log10(powers[max(0, index - 2)...min(powers.count - 1, index + 2)].reduce(0, +))
      }
      let peaks = tones.indices.filter {
        (250...5000).contains(tones[$0]) && $0 >= 10 && $0 + 10 < tones.count
      }
      return peaks.map { third[$0] - (third[$0 - 8] + third[$0 + 8]) / 2 }.max() ?? 0
    }
  }

  /// The lower and upper limit in Hz of the frequency range around 1 kHz in which the gain is at
  /// least `limit` dB.
  private static func cutoffs(
    _ gains: [Double], above limit: Double
  ) -> (lower: Double, upper: Double) {
    func cutoff(_ indices: some Sequence<Int>) -> Double {
      var last = averaged[0]
      for index in indices {
        guard gains[index] >= limit else {
          let fraction = (gains[last] - limit) / (gains[last] - gains[index])
          return frequencies[last] * pow(frequencies[index] / frequencies[last], fraction)
        }
        last = index
      }
      return frequencies[last]
    }
    return (cutoff((0..<averaged[0]).reversed()), cutoff(averaged[0]..<gains.count))
  }
}
