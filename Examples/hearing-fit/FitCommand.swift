import ExampleSupport
import HearingFitting
import HearingReport

/// Reads the hearing, makes the preset, writes and prints what was asked for.
struct FitCommand {
  private let options: FitOptions

  init(arguments: some Sequence<String>) throws(CommandFailure) {
    do {
      options = try FitOptions(arguments: arguments)
    } catch {
      throw .usage(error)
    }
  }

  func run() throws(CommandFailure) {
    guard !options.wantsHelp else { return try StandardOutput.write(FitOptions.help) }
    let profile = try Listener(options).profile()
    let preset = try preset(for: profile)
    var files: [StagedFile] = []
    if let path = options.presetPath {
      let file = try StagedFile(for: path)
      try file.write(preset.jsonData())
      files.append(file)
    }
    if let path = options.reportPath {
      let file = try StagedFile(for: path)
      try file.write(FittingReport(profile: profile, preset: preset).data)
      files.append(file)
    }
    for file in files { try file.commit() }
    switch options.format {
    case .text:
      try StandardOutput.write(GainTable(preset: preset, profile: profile).text)
    case .json:
      try StandardOutput.write(RuleGains(rule: try rule(of: preset), profile: profile).json)
    }
  }

  private func preset(for profile: HearingProfile) throws(CommandFailure) -> Preset {
    do {
      if let rule = options.rule { return try rule.preset(for: profile) }
      return try Fitting.techLevel(options.techLevel).preset(for: profile)
    } catch {
      throw .badData(place: options.audiogram ?? "--ear-age", reason: "\(error)")
    }
  }

  /// The rule by which the preset was made.
  private func rule(of preset: Preset) throws(CommandFailure) -> PrescriptionRule {
    guard let rule = preset.rule.flatMap(PrescriptionRule.init(name:)) else {
      preconditionFailure("a preset made by the rule \(preset.rule ?? "nil")")
    }
    return rule
  }
}
