internal import HearingDSP
internal import HearingBuffers

/// Switches a stage on and off. The switch is a cross-fade of 10 ms between the input and the
/// output of the stage.
struct SwitchFade: ~Copyable {
  private var fade: CrossFade
  private let curve: OwnedRow<Float>
  /// The input samples of the stage.
  let direct: OwnedRow<Float>

  /// - Parameters:
  ///   - capacity: The maximum number of samples in a run.
  ///   - isOn: Whether the stage is on at first.
  init(sampleRate: Double, capacity: Int, isOn: Bool = false) {
    fade = CrossFade(length: Int(0.01 * sampleRate), isOn: isOn)
    curve = fade.raisedCosine
    direct = .filled(0, count: capacity)
  }

  /// Whether the stage is on. A change starts a cross-fade.
  var isOn: Bool {
    get { fade.isOn }
    set { fade.isOn = newValue }
  }

  /// Whether the stage is off and the cross-fade has ended.
  var isOff: Bool { fade.isOff }

  /// Whether the stage is on and the cross-fade has ended.
  var isComplete: Bool { fade.isComplete }

  /// Whether the output of the stage has not been heard since the stage was off.
  var isStarting: Bool { fade.position == 0 }

  /// Ends the cross-fade immediately.
  mutating func settle() { fade.settle(isOn: fade.isOn) }

  /// Stores the input samples of the stage.
  func store(_ samples: Row<Float>, count: Int) {
    for index in 0..<count { direct[index] = samples[index] }
  }

  /// Cross-fades in place between the stored input samples and `samples`, the output of the stage.
  mutating func blend(_ samples: Row<Float>, count: Int) {
    if fade.isComplete { return }
    for index in 0..<count {
      fade.advance()
      let gain = curve[fade.position]
      samples[index] =
        isStarting ? direct[index] : gain * samples[index] + (1 - gain) * direct[index]
    }
  }
}
