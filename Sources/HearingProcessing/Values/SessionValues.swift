/// The values of all parameters of a session.
///
///     let values = session.values
///     print(values.isEnabled, values.intensity, values.preset?.left ?? "no preset")
public struct SessionValues: Equatable, Sendable {
  /// Whether audio is processed.
  public var isEnabled: Bool { didSet { assign(2) } }
  /// The fraction of the preset's gain that is applied, from 0 (none) to 1 (all).
  public var intensity: Float { didSet { assign(1) } }
  /// The listener's preset, or nil if there is no personal preset.
  public var preset: Preset? { didSet { assign(0) } }
  /// The listener's adjustments. The adjustments are added to the fine tuning that the preset
  /// contains.
  public var fineTuning: FineTuning { didSet { assign(3) } }
  private var mark = Mark()

  /// Creates values. The default arguments are the values of a new session.
  public init(
    isEnabled: Bool = false, intensity: Float = 1, preset: Preset? = nil,
    fineTuning: FineTuning = .none
  ) {
    self.isEnabled = isEnabled
    self.intensity = intensity
    self.preset = preset
    self.fineTuning = fineTuning
  }

  /// Records which parameters the closure of an update has assigned. The method `assigned(by:)`
  /// reads this record. The upper 56 bits of `bits` are a random number that identifies the call of
  /// the closure. The lower eight bits are a bit mask with one bit for each parameter. A bit is 1
  /// if the closure has not assigned the parameter.
  private struct Mark: Equatable, Sendable {
    var bits: UInt64 = 0

    /// Returns true for any two marks, so that comparisons of `SessionValues` ignore the mark.
    static func == (left: Self, right: Self) -> Bool { true }
  }

  private mutating func assign(_ lane: UInt64) { mark.bits &= ~(1 << lane) }

  /// Calls `change` with these values. Returns a bit mask with one bit for each parameter. A bit is
  /// 1 if `change` has assigned the parameter. If `change` replaces the complete `SessionValues`,
  /// all parameters count as assigned. The new `SessionValues` may come from the closure of another
  /// update. The random number in `mark` also detects such a replacement.
  mutating func assigned(by change: (inout SessionValues) -> Void) -> UInt64 {
    let (lanes, number) = (0xFF as UInt64, UInt64.random(in: 0x100...(.max)) | 0xFF)
    mark.bits = number
    change(&self)
    return mark.bits | lanes == number ? lanes & ~mark.bits : lanes
  }

  /// Whether a session accepts this intensity. The intensity must be finite and in 0…1.
  static func isValid(intensity: Float) -> Bool {
    intensity.isFinite && (0...1).contains(intensity)
  }
}

extension SessionValues: CustomStringConvertible {
  /// The names and the values of all parameters.
  public var description: String {
    "SessionValues(isEnabled: \(isEnabled), intensity: \(intensity), "
      + "preset: \(preset as Any), fineTuning: \(fineTuning))"
  }
}
