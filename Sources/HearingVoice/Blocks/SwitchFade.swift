internal import HearingDSP
internal import HearingBuffers

/// Switches a processing stage on and off with a cross-fade between the input and the output of the
/// stage.
struct SwitchFade: ~Copyable {
  private var fade: CrossFade
  private let curve: OwnedRow<Float>
  /// The input samples of the stage. The stage stores a copy of its input here before it processes
  /// the samples in place.
  let direct = OwnedRow<Float>.filled(0, count: UplinkRun.capacity)

  /// The number of samples until the first output sample of the stage. No cross-fade starts before
  /// `delay` is 0.
  var delay = 0

  /// Creates a cross-fade of `length` samples.
  ///
  /// - Parameter isOn: Whether the stage is on at the start.
  init(length: Int, isOn: Bool = false) {
    fade = CrossFade(length: length, isOn: isOn)
    curve = fade.raisedCosine
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

  /// Whether the cross-fade is at its start. At the start, the result of `blend` equals the input
  /// of the stage.
  var isStarting: Bool { fade.position == 0 }

  /// Ends the cross-fade immediately.
  mutating func settle() { fade.settle(isOn: fade.isOn) }

  /// Mixes the stored input samples into `samples`, according to the cross-fade. Before the call,
  /// `samples` must contain the output of the stage.
  mutating func blend(_ samples: Row<Float>, count: Int) {
    if fade.isComplete { return }
    for index in 0..<count {
      if delay > 0 { delay -= 1 } else { fade.advance() }
      let gain = curve[fade.position]
      samples[index] =
        isStarting ? direct[index] : gain * samples[index] + (1 - gain) * direct[index]
    }
  }
}
