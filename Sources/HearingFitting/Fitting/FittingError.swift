/// Why a fitting cannot create a preset, or why presets cannot be shared.
public enum FittingError: Error, Sendable, Equatable {
  /// The tech level is not one of ``Fitting/knownTechLevels``.
  case unknownTechLevel(Int)
  /// The rule's gain depends on the input level, which a system of this tech level does not
  /// support.
  case ruleNeedsLevels(rule: PrescriptionRule, techLevel: Int)
  /// Music needs a gain per frequency, which a system of this tech level does not support.
  case musicNeedsBands(techLevel: Int)
  /// A shared preset has no listeners.
  case noListeners
  /// A shared preset has presets for different programs.
  case programsDiffer(Program?, Program?)
  /// A value, such as the maximum output, is not valid in a preset.
  case preset(EarPreset.Invalid)
}

extension FittingError: CustomStringConvertible {
  /// A one-line message that contains the level, the rule or the value.
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
