/// The processing for a listener: for each ear the insertion gain over frequency and input level, and
/// the maximum output.
///
///     let preset = try PrescriptionRule.nalRP.preset(for: profile)
///     preset.left?.gain(at: 2000, inputLevel: 65)
///     let file = preset.jsonData()
///     try Preset(json: file) == preset                 // true, and so is the id
///
/// A preset is made by a ``PrescriptionRule``, by a ``Fitting``, or by hand. An ear that is nil is
/// unknown and gets no gain. The frequencies are independent of a processor's bands: a processor
/// reads ``EarPreset/curve(at:)`` at the centre of each band.
public struct Preset: Sendable, Equatable, Identifiable {
  /// The left ear; nil: unknown, no gain.
  public var left: EarPreset?
  /// The right ear; nil: unknown, no gain.
  public var right: EarPreset?
  /// The name of the rule that made the preset; nil: no rule. A rule of another version of this
  /// package may be unknown to ``PrescriptionRule/init(name:)``.
  public var rule: String?
  /// The version of the rule that made the preset; nil: no rule.
  public var ruleVersion: Int?

  /// The listening program; nil: not stated.
  public var program: Program?
  /// The limits that were applied; nil: not stated, or the preset is linear.
  public var limits: FittingLimits?

  /// A preset for the ears that are known.
  public init(
    left: EarPreset?, right: EarPreset?, rule: String? = nil, ruleVersion: Int? = nil,
    program: Program? = nil, limits: FittingLimits? = nil
  ) {
    self.program = program
    self.limits = limits
    self.left = left
    self.right = right
    self.rule = rule
    self.ruleVersion = ruleVersion
  }

  /// Identifies the content, as 32 hexadecimal digits: equal presets have equal ids, in every run, on
  /// every platform, and after encoding and decoding.
  public var id: String {
    var digest = ContentDigest()
    digest.add("preset 1")
    digest.add(byte: rule == nil ? 0 : 1)
    if let rule { digest.add(rule) }
    digest.add(byte: ruleVersion == nil ? 0 : 1)
    if let ruleVersion { digest.add(UInt64(bitPattern: Int64(ruleVersion))) }
    for ear in Ear.allCases {
      digest.add(byte: self[ear] == nil ? 0 : 1)
      if let preset = self[ear] { digest.add(preset.digest) }
    }
    if let program { digest.add("program \(program.rawValue)") }
    if let limits { limits.add(to: &digest) }
    return digest.text
  }

  /// The preset of one ear; nil: unknown, no gain.
  public subscript(ear: Ear) -> EarPreset? {
    get {
      switch ear {
      case .left: left
      case .right: right
      }
    }
    set {
      switch ear {
      case .left: left = newValue
      case .right: right = newValue
      }
    }
  }
}
