import ExampleSupport
import HearingFitting

/// What the user wants of `hearing-fit`.
struct FitOptions {
  /// How the gains are printed.
  enum Format: String, CaseIterable {
    case text
    case json
  }

  enum Sex: String, CaseIterable {
    case male
    case female
  }

  /// A standard name or a file; nil: an estimate instead.
  var audiogram: String?
  /// nil: the tech level's own.
  var rule: PrescriptionRule?
  var techLevel = 3
  var presetPath: String?
  var reportPath: String?
  var day: CalendarDay?
  var age: Double?
  var sex: Sex?
  var format = Format.text
  var wantsHelp = false

  /// Reads a command line without the command's name.
  init(arguments: some Sequence<String>) throws(UsageError) {
    var reader = ArgumentReader(arguments)
    var techLevel: Int?
    while let argument = try reader.next() {
      switch argument {
      case .option("--help"), .option("-h"):
        wantsHelp = true
        return
      case .option("--rule"): rule = try reader.rule()
      case .option("--tech-level"): techLevel = try reader.integer(in: Fitting.knownTechLevels)
      case .option("--out"): presetPath = try reader.text()
      case .option("--report"): reportPath = try reader.text()
      case .option("--date"): day = try reader.day()
      case .option("--ear-age"): age = try reader.number(in: 18...80)
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
    try check()
  }

  private func check() throws(UsageError) {
    if age != nil, sex == nil { throw .missingCompanion(option: "--ear-age", needs: "--sex") }
    if sex != nil, age == nil { throw .missingCompanion(option: "--sex", needs: "--ear-age") }
    guard audiogram != nil || age != nil else { throw .missingOperand("AUDIOGRAM") }
    if day != nil, audiogram == nil {
      throw .missingCompanion(option: "--date", needs: "AUDIOGRAM")
    }
    var paths = PathRegister()
    if let audiogram, Audiogram.standard(named: audiogram) == nil {
      try paths.add(audiogram, as: "AUDIOGRAM")
    }
    if let presetPath { try paths.add(presetPath, as: "--out") }
    if let reportPath { try paths.add(reportPath, as: "--report") }
  }
}
