/// A listener's adjustment of a preset: louder or softer, brighter or darker, crisper or calmer.
///
///     preset.fineTuning = try FineTuning(loudness: 0.5, brightness: -0.25)
///     preset.fineTuned.left            // the adjusted gains
///     preset.fineTuning = .none        // the preset unchanged
///
/// A preset stores the fine tuning separately from the gains. Therefore an app can undo the fine
/// tuning. For processing, use the preset ``Preset/fineTuned``. The gains of this preset include
/// the fine tuning. Fine tuning respects the limits of the preset. Fine tuning keeps the gains
/// between 0 dB and the maximum gain. Fine tuning does not raise the compression ratio above the
/// maximum ratio, and does not change the maximum output. Fine tuning never causes the output level
/// to fall when the input level rises.
///
/// - ``loudness`` changes every gain by up to 6 dB.
/// - ``brightness`` raises the gain at 4 kHz by up to 6 dB and lowers the gain at 250 Hz by up to 6
///   dB. A negative brightness lowers the gain at 4 kHz and raises the gain at 250 Hz.
/// - ``crispness`` changes the gain for soft sounds by up to 6 dB at 2 kHz and above. Between 1 and
///   2 kHz, the change is smaller. Below 1 kHz, and in a linear preset, the crispness has no
///   effect.
///
/// In a level-dependent preset, fine tuning does not raise the gain of very soft sounds. A sound is
/// very soft if the level in the band is at least 30 dB below the level of average speech.
/// Therefore a quiet room stays quiet.
public struct FineTuning: Sendable, Hashable {
  /// The permitted values of loudness, brightness and crispness: -1 to 1.
  public static let range: ClosedRange<Double> = -1...1
  /// The maximum change of gain in dB, for a loudness, brightness or crispness of 1.
  public static let maximumChange = 6.0

  /// A fine tuning that changes no gain.
  public static let none = FineTuning(valid: 0, 0, 0)

  /// The loudness, from -1 (softer) to 1 (louder).
  public let loudness: Double
  /// The brightness, from -1 (more bass and less treble) to 1 (less bass and more treble).
  public let brightness: Double
  /// The crispness, from -1 (calmer) to 1 (crisper).
  public let crispness: Double

  /// Creates a fine tuning with values within ``range``.
  ///
  /// - Throws: ``Invalid``, which contains the name of the invalid parameter and the value.
  public init(loudness: Double = 0, brightness: Double = 0, crispness: Double = 0) throws(Invalid) {
    try Invalid.check(loudness, in: Self.range, at: "loudness")
    try Invalid.check(brightness, in: Self.range, at: "brightness")
    try Invalid.check(crispness, in: Self.range, at: "crispness")
    self.init(valid: loudness, brightness, crispness)
  }

  /// The sum of two fine tunings, with each value limited to ``range``.
  public func adding(_ other: FineTuning) -> FineTuning {
    FineTuning(
      valid: (loudness + other.loudness).limited(to: Self.range),
      (brightness + other.brightness).limited(to: Self.range),
      (crispness + other.crispness).limited(to: Self.range))
  }

  init(valid loudness: Double, _ brightness: Double, _ crispness: Double) {
    self.loudness = loudness
    self.brightness = brightness
    self.crispness = crispness
  }

  /// The error for a value that is not finite or is outside ``range``.
  public typealias Invalid = InvalidValue

  /// The change of gain in dB at a frequency in Hz. `inputLevel` is the level in the band in dB
  /// SPL. `inputLevel` is nil for a linear preset.
  func change(at frequency: Double, inputLevel: Double?) -> Double {
    let octaves = CMath.binaryLogarithm(frequency / 1000)
    let always = loudness + brightness * (octaves / 2).limited(to: -1...1)
    guard let inputLevel else { return Self.maximumChange * always }
    let distance = inputLevel - PrescriptionBands.speechLevelTable.value(at: frequency)
    let soft = crispness * octaves.limited(to: 0...1) * ((10 - distance) / 30).limited(to: 0...1)
    let openness = ((distance + 30) / 10).limited(to: 0...1)
    return Self.maximumChange * openness * (always + soft)
  }

  /// Applies this fine tuning to the preset of an ear, within the limits.
  func applied(to ear: EarPreset, limits: FittingLimits?) -> EarPreset {
    let largest = max(limits?.maximumGain ?? 0, ear.gains.joined().max() ?? 0)
    let range = 0...(limits?.maximumGain == nil ? EarPreset.gainRange.upperBound : largest)
    let steepest = limits?.maximumRatio.map { 1 - 1 / $0 } ?? 1
    var tuned = ear
    tuned.gains = ear.frequencies.indices.map { band in
      let frequency = ear.frequencies[band]
      var gains = ear.inputLevels.indices.map { index in
        let level = ear.isLevelDependent ? ear.inputLevels[index] : nil
        return (ear.gains[band][index] + change(at: frequency, inputLevel: level))
          .limited(to: range)
      }
      for index in gains.indices.dropLast().reversed() {
        let step = ear.inputLevels[index + 1] - ear.inputLevels[index]
        let originalFall = ear.gains[band][index] - ear.gains[band][index + 1]
        gains[index] = min(gains[index], gains[index + 1] + max(originalFall, steepest * step))
      }
      return gains.map { $0.limited(to: EarPreset.gainRange).roundedToMillionth }
    }
    return tuned
  }
}

extension Preset {
  /// The preset with ``fineTuning`` applied to the gains. The ``fineTuning`` of the result is
  /// ``FineTuning/none``.
  public var fineTuned: Preset {
    guard fineTuning != .none else { return self }
    return Preset(
      left: left.map { fineTuning.applied(to: $0, limits: limits) },
      right: right.map { fineTuning.applied(to: $0, limits: limits) },
      rule: rule, ruleVersion: ruleVersion, program: program, limits: limits)
  }
}

#if !hasFeature(Embedded)
  extension FineTuning: Codable {
    /// Decodes and validates a fine tuning. A missing parameter is 0.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      self = try container.validated {
        try Self(
          loudness: try container.optionalValue(Double.self, at: .loudness) ?? 0,
          brightness: try container.optionalValue(Double.self, at: .brightness) ?? 0,
          crispness: try container.optionalValue(Double.self, at: .crispness) ?? 0)
      }
    }
  }
#endif
