import ExampleSupport
import HearingFitting

/// The options of `hearing-fit`.
struct FitOptions {
  /// How the gains are printed.
  enum Format: String, CaseIterable {
    case text
    case json
  }

  /// The name of a standard audiogram or a file; nil: only an estimate.
  var audiogram: String?
  /// The prescription rule; nil: the default rule of the tech level.
  var rule: PrescriptionRule?
  var techLevel = 3
  var program = Program.speech
  /// "none" or a JSON file; nil: the standard limits.
  var limits: String?
  var presetPath: String?
  var reportPath: String?
  var day: CalendarDay?
  /// The age and sex whose median hearing replaces ears that were not measured; nil: these ears
  /// stay unknown.
  var earAge: AgeRelatedHearing?
  var format = Format.text

  /// Reads a command line without the command's name.
  init(arguments: some Sequence<String>) throws(UsageError) {
    var reader = ArgumentReader(arguments)
    var techLevel: Int?
    var age: Double?
    var sex: AgeRelatedHearing.Sex?
    while let argument = try reader.next() {
      switch argument {
      case .option("--rule"): rule = try reader.rule()
      case .option("--tech-level"): techLevel = try reader.integer(in: Fitting.knownTechLevels)
      case .option("--program"): program = try reader.program()
      case .option("--limits"): limits = try reader.text()
      case .option("--out"): presetPath = try reader.text()
      case .option("--report"): reportPath = try reader.text()
      case .option("--date"): day = try reader.day()
      case .option("--ear-age"): age = try reader.number(in: AgeRelatedHearing.ageRange)
      case .option("--sex"): sex = try reader.choice()
      case .option("--format"): format = try reader.choice()
      case .option(let name): throw .unknownOption(name)
      case .operand(let text):
        guard audiogram == nil else { throw .unexpectedOperand(text) }
        audiogram = text
      }
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
    try check()
  }

  private func check() throws(UsageError) {
    guard audiogram != nil || earAge != nil else { throw .missingOperand("AUDIOGRAM") }
    if day != nil, audiogram == nil {
      throw .missingCompanion(option: "--date", needs: "AUDIOGRAM")
    }
    var paths = PathRegister()
    if let audiogram, Audiogram.standard(named: audiogram) == nil {
      try paths.add(audiogram, as: "AUDIOGRAM")
    }
    if let limits, limits != "none" { try paths.add(limits, as: "--limits") }
    if let presetPath { try paths.add(presetPath, as: "--out") }
    if let reportPath { try paths.add(reportPath, as: "--report") }
  }
}

extension FitOptions {
  /// The text that `--help` prints.
  static var help: String {
    """
    Fits a listener's hearing: turns an audiogram into a preset.

      hearing-fit AUDIOGRAM [options]

    AUDIOGRAM                  \(standards), for both ears,
                               or a file: Apple Health export.xml, HL7 FHIR, CSV, hearing-profile
                               JSON

      --rule RULE              \(rules)
      --tech-level 1|2|3       1: one gain per ear, 2: a gain per frequency, 3: gains per frequency
                               and input level (default); each level has a default rule
      --program speech|music   the kind of sound; default: speech
      --limits FILE.json|none  limits of the gains, or the rule as published
      --out PRESET.json        write the preset
      --report REPORT.html     write a page that explains the fitting to the listener
      --date YYYY-MM-DD        use the audiogram of this day; default: the newest in the file
      --ear-age AGE --sex male|female
                               estimate ears that were not measured from age, 18…80 (ISO 7029)
      --format text|json       text: a table of the preset's gains (default);
                               json: the rule's gains before the preset limits them
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
