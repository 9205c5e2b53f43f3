internal import HearingDSP
internal import HearingBuffers

/// Switches a stage on and off with a cross-fade of 10 ms between its input and its output.
struct SwitchFade: ~Copyable {
  private let curve: OwnedRow<Float>
  private let length: Int
  private let memory: FloatMemory
  /// The samples before the stage.
  private let direct: Row<Float>
  /// The place on the curve; 0 is off.
  private var place = 0

  /// Switched off.
  ///
  /// - Parameter capacity: The greatest length of a run.
  init(sampleRate: Double, capacity: Int) {
    length = Int(0.01 * sampleRate)
    curve = RaisedCosine.curve(steps: length)
    var memory = FloatMemory(capacity: capacity)
    direct = memory.take(capacity)
    self.memory = memory
  }

  /// Whether nothing of the stage is in the output.
  var isOff: Bool { place == 0 }

  /// Ends the cross-fade at once.
  mutating func settle(isOn: Bool) { place = isOn ? length : 0 }

  /// Keeps the samples before the stage.
  func keep(_ samples: Row<Float>, count: Int) {
    for index in 0..<count { direct[index] = samples[index] }
  }

  /// Blends the samples after the stage with those that were kept.
  mutating func blend(_ samples: Row<Float>, count: Int, isOn: Bool) {
    let target = isOn ? length : 0
    if place == target && isOn { return }
    for index in 0..<count {
      if place != target { place += isOn ? 1 : -1 }
      let gain = curve[place]
      samples[index] =
        place == 0 ? direct[index] : gain * samples[index] + (1 - gain) * direct[index]
    }
  }
}
