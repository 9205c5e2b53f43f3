import ExampleSupport
import HearingFitting
import HearingReport

/// Computes a preset from an audiogram, and explains the preset; see `hearing-fit --help`.
@main
struct HearingFit {
  private let options: FitOptions

  static func main() {
    Command("hearing-fit", help: FitOptions.help).run { arguments throws(CommandFailure) in
      try HearingFit(arguments).run()
    }
  }

  private init(_ arguments: [String]) throws(CommandFailure) {
    do {
      options = try FitOptions(arguments: arguments)
    } catch {
      throw .usage(error)
    }
  }

  private func run() throws(CommandFailure) {
    let listener = try FittedListener(options)
    let profile = listener.profile
    let preset = try preset(for: profile)
    var files: [StagedFile] = []
    if let path = options.presetPath {
      let file = try StagedFile(for: path)
      try file.write(preset.jsonData())
      files.append(file)
    }
    if let path = options.reportPath {
      let file = try StagedFile(for: path)
      let report = FittingReport(
        profile: profile, preset: preset, estimatedEars: listener.estimatedEars)
      try file.write(report.data)
      files.append(file)
    }
    for file in files { try file.commit() }
    switch options.format {
    case .text:
      try Command.print(
        PresetText(
          preset: preset, estimatedEars: listener.estimatedEars,
          findings: HearingAssessment(of: profile).findings
        ).text)
    case .json:
      try Command.print(RuleGains(rule: rule(of: preset), profile: profile).json)
    }
  }

  private func preset(for profile: HearingProfile) throws(CommandFailure) -> Preset {
    var fitting = Fitting(
      techLevel: options.techLevel, rule: options.rule, program: options.program)
    if let limits = options.limits { fitting.limits = try FittingLimits(argument: limits) }
    do {
      return try fitting.preset(for: profile)
    } catch {
      throw .badData(place: options.audiogram ?? "--ear-age", reason: "\(error)")
    }
  }

  private func rule(of preset: Preset) -> PrescriptionRule {
    guard let rule = preset.rule.flatMap(PrescriptionRule.init(name:)) else {
      preconditionFailure("no rule of the name \(preset.rule ?? "nil")")
    }
    return rule
  }
}
