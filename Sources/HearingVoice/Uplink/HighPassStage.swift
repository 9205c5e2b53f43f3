internal import HearingDSP
internal import HearingBuffers

/// Removes DC offset and rumble without latency. The filter is a second-order Butterworth high-pass
/// at 80 Hz.
///
/// The reference of the echo canceller passes through equal filters. Therefore the echo path does
/// not change when the filters switch on or off, and the canceller stays converged.
///
/// The stage switches on and off with a cross-fade of 10 ms. While the stage is off, samples pass
/// unchanged.
struct HighPassStage: ~Copyable, RenderStage {
  private var microphone, mean, difference: HighPassFilter

  init(sampleRate: Double) {
    microphone = HighPassFilter(sampleRate: sampleRate)
    mean = HighPassFilter(sampleRate: sampleRate)
    difference = HighPassFilter(sampleRate: sampleRate)
  }

  /// Whether the filters are on, or are being switched on.
  var isOn = false {
    didSet { (microphone.fade.isOn, mean.fade.isOn, difference.fade.isOn) = (isOn, isOn, isOn) }
  }

  mutating func process(_ run: inout UplinkRun) {
    microphone.process(run.samples, count: run.frameCount)
    guard let reference = run.reference else { return }
    mean.process(reference.mean, count: run.frameCount)
    difference.process(reference.difference, count: run.frameCount)
  }

  mutating func reset() {
    microphone.reset()
    mean.reset()
    difference.reset()
  }
}

/// The high-pass filter of one signal.
private struct HighPassFilter: ~Copyable {
  /// Switches the filter on and off.
  var fade: SwitchFade
  /// A factor of the transfer function. The numerator of the transfer function is `gain` × (1 −
  /// 2z⁻¹ + z⁻²).
  private let gain: Double
  /// The coefficient of z⁻¹ in the denominator of the transfer function.
  private let first: Double
  /// The coefficient of z⁻² in the denominator of the transfer function.
  private let second: Double
  /// The two state variables of the filter, or nil before the first sample.
  private var states: (Double, Double)?

  init(sampleRate: Double) {
    fade = SwitchFade(length: Int(0.01 * sampleRate))
    let warped = CMath.tangent(.pi * 80 / sampleRate)
    let norm = 1 / (1 + 2.0.squareRoot() * warped + warped * warped)
    gain = norm
    first = 2 * (warped * warped - 1) * norm
    second = (1 - 2.0.squareRoot() * warped + warped * warped) * norm
  }

  mutating func process(_ samples: Row<Float>, count: Int) {
    guard !fade.isOff else { return }
    if fade.isStarting { states = nil }
    // The filter starts as if all earlier samples were equal to the first sample. Therefore a DC
    // offset causes no step in the output.
    var (one, two) = states ?? (-gain * Double(samples[0]), gain * Double(samples[0]))
    CallBlock.copy(samples, to: fade.direct.row, count: count)
    for index in 0..<count {
      let input = gain * Double(samples[index])
      let output = input + one
      one = two - 2 * input - first * output
      two = input - second * output
      samples[index] = Float(output)
    }
    states = (abs(one) < 1e-30 ? 0 : one, abs(two) < 1e-30 ? 0 : two)
    fade.blend(samples, count: count)
  }

  mutating func reset() {
    states = nil
    fade.settle()
  }
}
