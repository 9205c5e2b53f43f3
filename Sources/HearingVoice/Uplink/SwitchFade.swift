internal import HearingDSP
internal import HearingBuffers

/// Switches a stage on and off. The switch is a cross-fade of 10 ms between the input and the
/// output of the stage.
struct SwitchFade: ~Copyable {
  private var fade: CrossFade
  private let curve: OwnedRow<Float>
  /// The input samples of the stage.
  private let direct: OwnedRow<Float>

  /// Creates a fade for a stage that is switched off.
  ///
  /// - Parameter capacity: The maximum number of samples in a run.
  init(sampleRate: Double, capacity: Int) {
    fade = CrossFade(length: Int(0.01 * sampleRate))
    curve = fade.raisedCosine
    direct = .filled(0, count: capacity)
  }

  /// Whether the output equals the input of the stage.
  var isOff: Bool { fade.position == 0 }

  /// Ends the cross-fade immediately.
  mutating func settle(isOn: Bool) { fade.settle(isOn: isOn) }

  /// Stores the input samples of the stage.
  func store(_ samples: Row<Float>, count: Int) {
    for index in 0..<count { direct[index] = samples[index] }
  }

  /// Cross-fades in place between the stored input samples and `samples`, the output of the stage.
  mutating func blend(_ samples: Row<Float>, count: Int, isOn: Bool) {
    fade.isOn = isOn
    if fade.isComplete { return }
    for index in 0..<count {
      fade.advance()
      let gain = curve[fade.position]
      samples[index] = isOff ? direct[index] : gain * samples[index] + (1 - gain) * direct[index]
    }
  }
}
