import ExampleSupport
import Foundation
import HearingDSP
import HearingFitting
import HearingReport

/// Computes a preset from an audiogram and explains it. See `hearing-fit --help`.
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
    if options.uninstalls { return try Command.print(PluginInstallation().uninstall()) }
    if let path = options.givenPreset {
      return try Command.print(deliver(Preset(argument: path), []))
    }
    let listener = try FittedListener(options)
    let profile = listener.profile
    if let audiogram = options.audiogram {
      profile.printWarnings(about: audiogram, by: "hearing-fit")
    }
    if let installation = options.installation, !installation.fitsUncalibrated,
      profile.record?.needsConsent == true
    {
      throw .usage(
        .missingCompanion(
          option: "--install", needs: "a reliable and calibrated test, or --fit-uncalibrated"))
    }
    let preset = try preset(for: profile)
    var files: [StagedFile] = []
    if let path = options.presetPath {
      let file = try StagedFile(for: path)
      try file.write(preset.jsonData())
      files.append(file)
    }
    if let path = options.reportPath {
      let file = try StagedFile(for: path)
      let report = ReportPage.fitting(
        profile: profile, preset: preset, estimatedEars: listener.estimatedEars,
        notes: listener.notes)
      try file.write(report.data)
      files.append(file)
    }
    if let path = options.clinicalPath {
      let file = try StagedFile(for: path)
      let report = ReportPage.clinical(
        profile: profile, preset: preset, date: fittingDate,
        device: options.device,
        estimatedEars: listener.estimatedEars, notes: listener.notes)
      try file.write(report.data)
      files.append(file)
    }
    let notes = try deliver(preset, files)
    if options.installation != nil { return try Command.print(notes) }
    switch options.format {
    case .text:
      let text = PresetText(name: options.audiogram, listener: listener, preset: preset).text
      try Command.print(text + (notes.isEmpty ? "" : "\n" + notes))
    case .json:
      try Command.print(RuleGains(rule: rule(of: preset), profile: profile).json)
      for line in notes.split(separator: "\n") { Command.warn("hearing-fit: \(line)") }
    }
  }

  /// Installs and exports a preset if the options require it, and commits `files`. After an error,
  /// nothing more is written.
  ///
  /// - Returns: Text to print about what was written.
  private func deliver(_ preset: Preset, _ files: [StagedFile]) throws(CommandFailure) -> String {
    var files = files
    let export = options.export.map { EqualizerExport(preset, options: $0) }
    if let export { files.append(try export.stage()) }
    var text = ""
    if let installation = options.installation {
      let correction = try installation.headphone.map { (path) throws(CommandFailure) in
        try HeadphoneCorrection(argument: path)
      }
      text = try PluginInstallation().install(
        preset, correction: correction, options: installation)
    }
    return try text + StagedFile.commit(files) + (export?.explanation ?? "")
  }

  /// The date on the page for an audiologist. The page shows the day of this date in UTC. By
  /// default, this is the current day in the local time zone.
  private var fittingDate: Date {
    let now = Date()
    return options.fittingDay.flatMap { ISO8601Text.seconds(from: $0.description) }
      .map { Date(timeIntervalSince1970: $0) }
      ?? now + Double(TimeZone.current.secondsFromGMT(for: now))
  }

  private func preset(for profile: HearingProfile) throws(CommandFailure) -> Preset {
    var fitting = Fitting(
      techLevel: options.techLevel, rule: options.rule, program: options.program)
    if let limits = options.limits { fitting.limits = try FittingLimits(argument: limits) }
    do {
      return try fitting.preset(for: profile)
    } catch {
      throw .badData(input: options.audiogram ?? "--ear-age", reason: "\(error)")
    }
  }

  private func rule(of preset: Preset) -> PrescriptionRule {
    guard let rule = preset.rule.flatMap(PrescriptionRule.init(name:)) else {
      preconditionFailure("no rule of the name \(preset.rule ?? "nil")")
    }
    return rule
  }
}
