/// The reason why a fitting cannot create a preset, or why presets cannot be combined into a shared
/// preset.
public enum FittingError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The tech level is not one of ``Fitting/knownTechLevels``.
  case unknownTechLevel(Int)
  /// The gain of the rule depends on the input level. The tech level does not support
  /// level-dependent rules.
  case ruleNeedsLevels(rule: PrescriptionRule, techLevel: Int)
  /// The program is music. A preset for music needs separate gains for different frequencies, but
  /// the tech level has only one gain for all frequencies.
  case musicNeedsBands(techLevel: Int)
  /// The list of presets for a shared preset is empty.
  case noListeners
  /// The presets for a shared preset have different programs.
  case programsDiffer(Program?, Program?)
  /// A value is not valid in a preset. For example, the maximum output is out of range.
  case preset(EarPreset.Invalid)

  /// A one-line description of the error, with the tech level, the rule or the value that is not
  /// valid.
  public var description: String {
    switch self {
    case .unknownTechLevel(let level):
      "unknown tech level \(level); the known levels are 1 to 3"
    case .ruleNeedsLevels(let rule, let level):
      "the gain of rule \(rule.name) depends on the input level, which tech level \(level) does "
        + "not support; use tech level 3"
    case .musicNeedsBands(let level):
      "program music needs a gain per frequency, which tech level \(level) does not support; use "
        + "tech level 2 or 3"
    case .noListeners:
      "a shared preset needs at least one listener"
    case .programsDiffer(let one, let other):
      "presets for different programs cannot be shared: \(one?.rawValue ?? "none") and "
        + "\(other?.rawValue ?? "none")"
    case .preset(let reason):
      reason.description
    }
  }
}
