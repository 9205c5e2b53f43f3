import ExampleSupport
import HearingAudio
import HearingFitting

/// The options of `hearing-fit`.
struct FitOptions {
  /// The format in which the gains are printed.
  enum Format: String, CaseIterable {
    case text
    case json
  }

  /// The name of a standard audiogram or the path of an audiogram file. Nil if both ears are
  /// estimated from age and sex, or if a preset is given.
  var audiogram: String?
  /// The path of a preset to install or export, instead of a preset for an audiogram.
  var givenPreset: String?
  /// The prescription rule; nil for the default rule of the tech level.
  var rule: PrescriptionRule?
  var techLevel = 3
  var program = Program.speech
  /// The gain limits: "none" or the path of a JSON file; nil for the standard limits.
  var limits: String?
  var presetPath: String?
  var reportPath: String?
  /// The path of the page for an audiologist; nil if no page is written.
  var clinicalPath: String?
  /// The headphone, device and software that the audiologist's page names.
  var device = ""
  /// The date that the audiologist's page shows; nil for today.
  var fittingDay: CalendarDay?
  var day: CalendarDay?
  /// The age and sex from which ears that were not measured are estimated. The estimate is the
  /// median hearing of people of this age and sex. If nil, ears that were not measured stay
  /// unknown.
  var earAge: AgeRelatedHearing?
  var format = Format.text
  /// What to install; nil if nothing is installed.
  var installation: Installation?
  /// Whether the command removes the installed files and does nothing else.
  var uninstalls = false
  /// The settings file for another program's equaliser; nil if no file is written.
  var export: Export?

  /// What `--install` installs in addition to the preset.
  struct Installation {
    /// The folder of the plugin. If nil, the plugin in the build folder is installed. If the build
    /// folder contains no plugin either, a plugin from an earlier installation remains.
    var plugin: String?
    /// The path of the headphone correction. If nil, a correction from an earlier installation
    /// remains.
    var headphone: String?
    /// Whether to write a PipeWire configuration with an output device (sink) that uses the plugin.
    var pipewire: Bool
    /// Whether the result of an unreliable or uncalibrated hearing test may be installed.
    var fitsUncalibrated = false
  }

  /// A settings file for another program's equaliser.
  struct Export {
    var path: String
    var format: EqualizerFormat
    /// The input level in dB SPL, which applies to every band.
    var inputLevel: Double
  }

  /// Parses a command line that does not include the command's name.
  init(arguments: some Sequence<String>) throws(UsageError) {
    var reader = ArgumentReader(arguments)
    var techLevel: Int?
    var age: Double?
    var sex: AgeRelatedHearing.Sex?
    var installs = false
    var installation = Installation(pipewire: false)
    var exportPath: String?
    var exportLevel: Double?
    var given: Set<String> = []
    while let argument = try reader.next() {
      if case .option(let name) = argument { given.insert(name) }
      switch argument {
      case .option("--rule"): rule = try reader.rule()
      case .option("--tech-level"): techLevel = try reader.integer(in: Fitting.knownTechLevels)
      case .option("--program"): program = try reader.program()
      case .option("--limits"): limits = try reader.text()
      case .option("--preset"): givenPreset = try reader.text()
      case .option("--out"): presetPath = try reader.text()
      case .option("--report"): reportPath = try reader.text()
      case .option("--clinical"): clinicalPath = try reader.text()
      case .option("--device"): device = try reader.text()
      case .option("--fitting-date"): fittingDay = try reader.day()
      case .option("--date"): day = try reader.day()
      case .option("--ear-age"): age = try reader.number(in: AgeRelatedHearing.ageRange)
      case .option("--sex"): sex = try reader.choice()
      case .option("--format"): format = try reader.choice()
      case .option("--install"): installs = true
      case .option("--pipewire"): installation.pipewire = true
      case .option("--plugin"): installation.plugin = try reader.text()
      case .option("--headphone"): installation.headphone = try reader.text()
      case .option("--fit-uncalibrated"): installation.fitsUncalibrated = true
      case .option("--uninstall"): uninstalls = true
      case .option("--export"): exportPath = try reader.text()
      case .option("--export-level"): exportLevel = try reader.number(in: 20...100)
      case .option(let name): throw .unknownOption(name)
      case .operand(let text):
        guard audiogram == nil else { throw .unexpectedOperand(text) }
        audiogram = text
      }
    }
    if uninstalls {
      if let other = audiogram ?? given.subtracting(["--uninstall"]).min() {
        throw .conflict("--uninstall", with: other)
      }
      return
    }
    self.techLevel = techLevel ?? self.techLevel
    if rule != nil, techLevel != nil { throw .conflict("--rule", with: "--tech-level") }
    switch (age, sex) {
    case (nil, nil): break
    case (_?, nil): throw .missingCompanion(option: "--ear-age", needs: "--sex")
    case (nil, _?): throw .missingCompanion(option: "--sex", needs: "--ear-age")
    case (let age?, let sex?):
      do {
        earAge = try AgeRelatedHearing(age: age, sex: sex)
      } catch {
        preconditionFailure("age \(age) is within the permitted range: \(error)")
      }
    }
    if installs { self.installation = installation }
    try Self.check(installation, companion: installs ? nil : "--install")
    if let exportPath {
      guard let format = EqualizerFormat(fileName: exportPath) else {
        throw .invalidValue(option: "--export", reason: Self.exportNames)
      }
      export = Export(path: exportPath, format: format, inputLevel: exportLevel ?? 65)
    } else if exportLevel != nil {
      throw .missingCompanion(option: "--export-level", needs: "--export")
    }
    try check(given)
  }

  /// Throws an error if an option for the installation is used without `--install`.
  private static func check(
    _ installation: Installation, companion: String?
  ) throws(UsageError) {
    guard let companion else { return }
    let options = [
      (installation.pipewire, "--pipewire"), (installation.plugin != nil, "--plugin"),
      (installation.headphone != nil, "--headphone"),
      (installation.fitsUncalibrated, "--fit-uncalibrated"),
    ]
    for (isUsed, name) in options where isUsed {
      throw .missingCompanion(option: name, needs: companion)
    }
  }

  /// The options that cannot be combined with `--preset`.
  private static let fittingOptions = [
    "--rule", "--tech-level", "--program", "--limits", "--out", "--report", "--clinical",
    "--date", "--ear-age", "--format",
  ]

  private static let exportNames =
    "the name must end with ParametricEQ.txt or GraphicEQ.txt (AutoEq), .txt (Equalizer APO), .yml "
    + "(CamillaDSP) or .json (EasyEffects)"

  private func check(_ given: Set<String>) throws(UsageError) {
    if givenPreset != nil {
      if let audiogram { throw .conflict(audiogram, with: "--preset") }
      for option in Self.fittingOptions where given.contains(option) {
        throw .conflict(option, with: "--preset")
      }
      guard installation != nil || export != nil else {
        throw .missingCompanion(option: "--preset", needs: "--install or --export")
      }
    }
    guard audiogram != nil || earAge != nil || givenPreset != nil else {
      throw .missingOperand("AUDIOGRAM")
    }
    for (isUsed, option) in [
      (!device.isEmpty, "--device"), (fittingDay != nil, "--fitting-date"),
    ] where isUsed && clinicalPath == nil {
      throw .missingCompanion(option: option, needs: "--clinical")
    }
    if day != nil, audiogram == nil {
      throw .missingCompanion(option: "--date", needs: "AUDIOGRAM")
    }
    var paths = PathRegister()
    if let audiogram, Audiogram.standard(named: audiogram) == nil {
      try paths.add(audiogram, as: "AUDIOGRAM")
    }
    if let givenPreset { try paths.add(givenPreset, as: "--preset") }
    if let limits, limits != "none" { try paths.add(limits, as: "--limits") }
    if let presetPath { try paths.add(presetPath, as: "--out") }
    if let reportPath { try paths.add(reportPath, as: "--report") }
    if let clinicalPath { try paths.add(clinicalPath, as: "--clinical") }
    if let export { try paths.add(export.path, as: "--export") }
    if let file = installation?.headphone { try paths.add(file, as: "--headphone") }
  }
}

extension FitOptions {
  /// The text that `--help` prints.
  static var help: String {
    """
    Fits a listener's hearing: turns an audiogram into a preset.

      hearing-fit AUDIOGRAM [options]
      hearing-fit --preset FILE.json [--install …] [--export …]

    AUDIOGRAM                  \(standards), for both ears,
                               or a file: Apple Health export.xml, HL7 FHIR, CSV, hearing-profile
                               JSON. The reasons not to rely on a hearing test are printed on
                               standard error

      --rule RULE              \(rules)
      --tech-level 1|2|3       1: one gain per ear, 2: a gain per frequency, 3: gains per frequency
                               and input level (default); each level has a default rule
      --program speech|music   the kind of sound; default: speech
      --limits FILE.json|none  limits of the gains, or the rule as published
      --out PRESET.json        write the preset
      --report REPORT.html     write a page that explains the fitting to the listener
      --clinical PAGE.html     write a page for an audiologist: a sheet for the patient's file, targets,
                               audibility, maximum output
      --device TEXT            headphone, device and software, for that page
      --fitting-date YYYY-MM-DD
                               the date on that page; default: today
      --date YYYY-MM-DD        use the audiogram of this day; default: the newest in the file
      --ear-age AGE --sex male|female
                               estimate ears that were not measured from age, 18…80 (ISO 7029)
      --format text|json       text: a table of the preset's gains, limited by the
                               maximum output (default);
                               json: the rule's gains before the preset limits them

      --install                install the plugin of Examples/hearing-plugin for LADSPA and LV2 hosts,
                               and the preset that it follows
      --plugin FOLDER          the plugin's folder; default: .build/plugin in the current folder
      --pipewire               with --install: a sink of PipeWire through which everything is heard
      --headphone FILE         with --install: correct this headphone; a ParametricEQ.txt or
                               GraphicEQ.txt of AutoEq, or a measured response as CSV; without it,
                               an installed correction stays active
      --fit-uncalibrated       with --install: accept a hearing test that was not calibrated or whose
                               answers are not reliable
      --uninstall              remove all that --install has written

      --preset FILE.json       install or export this preset instead of fitting an audiogram, such as
                               the fine tuning of hearing-live --compare

      --export FILE            write the gains for another equaliser; the name chooses the format:
                               …ParametricEQ.txt, …GraphicEQ.txt (AutoEq), .txt (Equalizer APO),
                               .yml (CamillaDSP), .json (EasyEffects)
      --export-level LEVEL     the input level of these gains, 20…100 dB SPL; default: 65

      --help                   print this help
      --version                print the version

    Exit codes: 64 wrong command line, 65 wrong data, 66 input not readable, 73 and 74 output not
    writable.

    """
  }

  private static var standards: String {
    Audiogram.standards.map(\.name).joined(separator: " ")
  }

  /// The names of all rules, on two lines.
  private static var rules: String {
    let names = PrescriptionRule.all.map(\.name)
    let indent = "\n" + String(repeating: " ", count: 27)
    return [names.prefix(5), names.dropFirst(5).prefix(3), names.dropFirst(8)].map {
      $0.joined(separator: " ")
    }
    .joined(separator: indent)
  }
}
