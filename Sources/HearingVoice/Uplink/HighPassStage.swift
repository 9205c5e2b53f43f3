internal import HearingDSP
internal import HearingBuffers

/// Removes DC offset and rumble without latency. The filter is a second-order Butterworth high-pass
/// at 80 Hz.
///
/// The stage switches on and off with a cross-fade of 10 ms. While the stage is off, samples pass
/// unchanged.
struct HighPassStage: ~Copyable, RenderStage {
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

  mutating func process(_ run: inout UplinkRun) {
    guard !fade.isOff else { return }
    let samples = run.samples
    if fade.isStarting { states = nil }
    // The filter starts as if all earlier samples were equal to the first sample. Therefore a DC
    // offset causes no step in the output.
    var (one, two) = states ?? (-gain * Double(samples[0]), gain * Double(samples[0]))
    CallBlock.copy(samples, to: fade.direct.row, count: run.frameCount)
    for index in 0..<run.frameCount {
      let input = gain * Double(samples[index])
      let output = input + one
      one = two - 2 * input - first * output
      two = input - second * output
      samples[index] = Float(output)
    }
    states = (abs(one) < 1e-30 ? 0 : one, abs(two) < 1e-30 ? 0 : two)
    fade.blend(samples, count: run.frameCount)
  }

  mutating func reset() {
    states = nil
    fade.settle()
  }
}
