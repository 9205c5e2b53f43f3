import Foundation
import HearingAudio
import HearingDSP

/// Measures a processor's gain with a steady tone.
struct GainMeasurement {
  let processor: BandGainProcessor
  let calibration: Calibration

  /// The gain in dB at `frequency` for each channel, measured at the processor's output.
  ///
  /// The processor renders a tone in all channels: first 0.25 s for settling, then a whole number
  /// of periods. The output during these periods is correlated with the tone. The processor is
  /// reset before and after the measurement.
  ///
  /// - Parameters:
  ///   - frequency: The tone's frequency in Hz, below half the sample rate.
  ///   - level: The tone's level in dB SPL.
  func gains(at frequency: Double, level: Double) -> [Double] {
    let rate = processor.spec.sampleRate
    let settling = Int(rate * 0.25)
    let periods = max(1, (frequency * 0.1).rounded())
    let measured = Int((periods * rate / frequency).rounded())
    let step = 2 * Double.pi * periods / Double(measured)
    let amplitude = calibration.peakAmplitude(ofSineAt: level)
    let tone = (0..<settling + measured).map { Float(amplitude * sin(step * Double($0))) }
    let block = AudioBlock(Array(repeating: tone, count: processor.spec.channelCount))
    processor.reset()
    processor.process(block)
    processor.reset()
    return block.samples.map { output in
      20 * log10(Self.amplitude(of: output[settling...], step: step) / amplitude)
    }
  }

  /// The amplitude of the component with an angular frequency of `step` radians per sample. The
  /// samples contain a whole number of its periods.
  private static func amplitude(of samples: ArraySlice<Float>, step: Double) -> Double {
    var inPhase = 0.0
    var quadrature = 0.0
    for (index, sample) in samples.enumerated() {
      inPhase += Double(sample) * cos(step * Double(index))
      quadrature += Double(sample) * sin(step * Double(index))
    }
    return 2 * hypot(inPhase, quadrature) / Double(samples.count)
  }
}
