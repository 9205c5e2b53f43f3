/// The settings of the sound processing for a listener. For each ear, a preset contains the
/// insertion gain as a function of frequency and input level, and the maximum output.
///
///     let preset = try PrescriptionRule.nalRP.preset(for: profile)
///     preset.left?.gain(at: 2000, inputLevel: 65)
///     let file = preset.jsonData()
///     try Preset(json: file) == preset                 // true; the ids are equal too
///
/// A ``PrescriptionRule`` or a ``Fitting`` creates a preset. An app can also create a preset from
/// values that the app supplies. If the preset of an ear is nil, the hearing of the ear is unknown
/// and the ear gets no gain. The frequencies of a preset are independent of the bands of a
/// processor. A processor reads ``EarPreset/curve(at:)`` at the centre of each band.
public struct Preset: Sendable, Equatable, Identifiable {
  /// The preset of the left ear; nil if the hearing of the left ear is unknown. Without a preset,
  /// an ear gets no gain.
  public var left: EarPreset?
  /// The preset of the right ear; nil if the hearing of the right ear is unknown. Without a preset,
  /// an ear gets no gain.
  public var right: EarPreset?
  /// The name of the rule that created the preset; nil if the preset was created without a rule. If
  /// another version of this package created the preset, ``PrescriptionRule/init(name:)`` may
  /// return nil for the name.
  public var rule: String?
  /// The version of the rule that created the preset; nil if the preset was created without a rule.
  public var ruleVersion: Int?
  /// The listening program; nil if not specified.
  public var program: Program?
  /// The limits that were applied to the gains of the rule. Nil if no limits are specified or if
  /// the preset is linear.
  public var limits: FittingLimits?
  /// The listener's adjustment. The gains of ``fineTuned`` include the adjustment, but the gains of
  /// ``left`` and ``right`` do not.
  public var fineTuning: FineTuning

  /// Creates a preset from the presets of both ears.
  public init(
    left: EarPreset?, right: EarPreset?, rule: String? = nil, ruleVersion: Int? = nil,
    program: Program? = nil, limits: FittingLimits? = nil, fineTuning: FineTuning = .none
  ) {
    self.left = left
    self.right = right
    self.rule = rule
    self.ruleVersion = ruleVersion
    self.program = program
    self.limits = limits
    self.fineTuning = fineTuning
  }

  /// Identifies the content of the preset, as 32 hexadecimal digits. Equal presets have equal ids
  /// in every run of a program and on every platform. Encoding and decoding do not change the id.
  public var id: String {
    var digest = ContentDigest()
    digest.add("preset 1")
    digest.add(byte: rule == nil ? 0 : 1)
    if let rule { digest.add(rule) }
    digest.add(byte: ruleVersion == nil ? 0 : 1)
    if let ruleVersion { digest.add(UInt64(bitPattern: Int64(ruleVersion))) }
    for ear in [left, right] {
      digest.add(byte: ear == nil ? 0 : 1)
      if let ear { digest.add(ear.digest) }
    }
    if let program { digest.add("program \(program.rawValue)") }
    if let limits {
      digest.add("limits")
      digest.add(byte: limits.holdsUnmeasuredGain ? 1 : 0)
      let numbers = [
        limits.expansionSpeechLevel, limits.expansionSlope, limits.maximumRatio, limits.maximumGain,
      ]
      digest.add(numbers.map { $0 ?? -1 })
      digest.add(limits.discomfortMargin ?? -1)
    }
    if fineTuning != .none {
      digest.add("fineTuning")
      digest.add([fineTuning.loudness, fineTuning.brightness, fineTuning.crispness])
    }
    return digest.text
  }

  /// The preset of one ear; nil if the hearing of the ear is unknown. Without a preset, an ear gets
  /// no gain.
  public subscript(ear: Ear) -> EarPreset? {
    get { ear == .left ? left : right }
    set { if ear == .left { left = newValue } else { right = newValue } }
  }
}

#if !hasFeature(Embedded)
  extension Preset: CustomStringConvertible {
    /// One line with the rule, the program and the gain of each ear, for example:
    /// `comfortable-speech 2 for speech, gain at 1 kHz and 65 dB SPL: left 18.2 dB, right none`.
    public var description: String {
      var made = rule ?? "preset without a rule"
      if let ruleVersion { made += " \(ruleVersion)" }
      if let program { made += " for \(program.rawValue)" }
      let gains = [("left", left), ("right", right)].map { name, ear in
        guard let ear else { return "\(name) none" }
        return "\(name) \((ear.gain(at: 1_000, inputLevel: 65) * 10).rounded() / 10) dB"
      }
      return "\(made), gain at 1 kHz and 65 dB SPL: \(gains.joined(separator: ", "))"
    }
  }
#endif
