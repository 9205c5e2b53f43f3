import ExampleSupport
import HearingAudiometry
import HearingFitting

/// The options of `hearing-test`.
struct TestOptions {
  /// The test methods. The raw values are their names on the command line.
  enum Method: String, CaseIterable {
    case bayesian
    case hughsonWestlake = "hughson-westlake"
    case modifiedHughsonWestlake = "modified-hughson-westlake"

    var method: ToneTestMethod {
      switch self {
      case .bayesian: .bayesian
      case .hughsonWestlake: .hughsonWestlake
      case .modifiedHughsonWestlake: .modifiedHughsonWestlake
      }
    }
  }

  /// The shapes of a tone. The raw values are their names on the command line.
  enum Tone: String, CaseIterable {
    case pulsed
    case steady
    case warbled

    var shape: ToneShape {
      switch self {
      case .pulsed: .pulsed
      case .steady: .steady
      case .warbled: .warbled
      }
    }
  }

  /// The simulated listener: a standard audiogram or the path of a file; nil if a person listens.
  var listener: String?
  /// The command that plays the sound for a person.
  var player: String?
  var usesKeys = false
  var method = Method.bayesian
  var tone = Tone.pulsed
  var firstEar = Ear.right
  var frequencies = ToneTest.standardFrequencies
  var seed: UInt64 = 1
  var savePath: String?
  var resumePath: String?
  var profilePath: String?
  var reportPath: String?
  var calibrationPath: String?
  var digitsFolder: String?
  var latency = 0.3
  var fitsUncalibrated = false
  var isQuiet = false
  /// The options in this command line that are permitted only for a new test.
  private var decidedAtTheStart: [String] = []

  /// The path of the file to which the state is saved after every answer.
  var statePath: String? { savePath ?? resumePath }

  /// Parses a command line that does not include the command's name.
  init(arguments: some Sequence<String>) throws(UsageError) {
    var reader = ArgumentReader(arguments)
    while let argument = try reader.next() {
      if case .option(let name) = argument, Self.optionsOfANewTest.contains(name) {
        decidedAtTheStart.append(name)
      }
      switch argument {
      case .option("--simulate"): listener = try reader.text()
      case .option("--play"): player = try reader.text()
      case .option("--keys"): usesKeys = true
      case .option("--method"): method = try reader.choice()
      case .option("--tone"): tone = try reader.choice()
      case .option("--first-ear"): firstEar = try reader.choice()
      case .option("--frequencies"): frequencies = try Self.frequencies(try reader.text())
      case .option("--seed"): seed = UInt64(try reader.integer(in: 0...Int.max))
      case .option("--save"): savePath = try reader.text()
      case .option("--resume"): resumePath = try reader.text()
      case .option("--out"): profilePath = try reader.text()
      case .option("--report"): reportPath = try reader.text()
      case .option("--calibration"): calibrationPath = try reader.text()
      case .option("--digits"): digitsFolder = try reader.text()
      case .option("--latency"): latency = try reader.number(in: 0...2000) / 1000
      case .option("--fit-uncalibrated"): fitsUncalibrated = true
      case .option("--quiet"): isQuiet = true
      case .option(let name): throw .unknownOption(name)
      case .operand(let text): throw .unexpectedOperand(text)
      }
    }
    try check()
  }

  private static let optionsOfANewTest: Set = [
    "--method", "--tone", "--first-ear", "--frequencies", "--calibration",
  ]

  private func check() throws(UsageError) {
    guard listener != nil || player != nil else { throw .missingOption("--simulate or --play") }
    if listener != nil, player != nil { throw .conflict("--simulate", with: "--play") }
    if player != nil, !usesKeys { throw .missingCompanion(option: "--play", needs: "--keys") }
    if usesKeys, player == nil { throw .missingCompanion(option: "--keys", needs: "--play") }
    if digitsFolder != nil, reportPath != nil { throw .conflict("--digits", with: "--report") }
    if digitsFolder != nil, profilePath != nil { throw .conflict("--digits", with: "--out") }
    if resumePath != nil, let option = decidedAtTheStart.first {
      throw .conflict(option, with: "--resume")
    }
    var paths = PathRegister()
    if let listener, Audiogram.standard(named: listener) == nil {
      try paths.add(listener, as: "--simulate")
    }
    if let resumePath, resumePath != savePath { try paths.add(resumePath, as: "--resume") }
    for (path, name) in [
      (savePath, "--save"), (profilePath, "--out"), (reportPath, "--report"),
      (calibrationPath, "--calibration"),
    ] {
      if let path { try paths.add(path, as: name) }
    }
  }

  private static func frequencies(_ text: String) throws(UsageError) -> [Double] {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Double($0) }
    guard numbers.count == parts.count,
      numbers.allSatisfy(ToneTest.standardFrequencies.contains),
      Set(numbers).count == numbers.count
    else {
      throw .invalidValue(
        option: "--frequencies",
        reason: "expected some of "
          + ToneTest.standardFrequencies.map { "\(Int($0))" }.joined(separator: ",")
          + ", each once")
    }
    return numbers
  }
}
