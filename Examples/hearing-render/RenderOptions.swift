import ExampleSupport
import HearingAudio
import HearingFitting

/// What one call of the program is to do.
struct RenderOptions {
  /// Nil: the embedded recording.
  var input: String?
  var output = "hearing-render-output.wav"
  /// A standard name or a file; nil with a preset.
  var audiogram: String? = "N3"
  /// A preset's file, in place of audiogram and rule.
  var presetPath: String?
  /// Nil: the tech level's own.
  var rule: PrescriptionRule?
  /// Nil: 3, or 2 for a linear rule.
  var givenTechLevel: Int?
  var intensity: Float = 1
  var isBypassed = false
  /// Nil: the input's active level stands for conversation, unless it is a stream.
  var calibration: InputCalibration?
  /// dB SPL; nil: 105, or the preset's own.
  var maximumOutput: Double?
  var encoding = SampleEncoding.float32
  var blockSize = 512
  /// Where levels and gains over time go, as comma-separated values.
  var tracePath: String?
  /// Where the page goes that explains the fitting and what it did to the sound.
  var reportPath: String?
  var isQuiet = false
  var wantsHelp = false

  /// The encodings that can be asked for.
  enum OutputFormat: String, CaseIterable {
    case float32
    case int16
    case int24

    var encoding: SampleEncoding {
      switch self {
      case .float32: .float32
      case .int16: .int16
      case .int24: .int24
      }
    }
  }

  /// The levels in dB SPL that can be given.
  private static let levels = 0.0...200.0

  /// Reads a command line without the command's name.
  init(arguments: some Sequence<String>) throws(UsageError) {
    var reader = ArgumentReader(arguments)
    var operands: [String] = []
    var given: Set<String> = []
    while let argument = try reader.next() {
      if case .option(let name) = argument { given.insert(name) }
      switch argument {
      case .option("--help"), .option("-h"):
        wantsHelp = true
        return
      case .option("--audiogram"): audiogram = try reader.text()
      case .option("--rule"): rule = try reader.rule()
      case .option("--preset"): presetPath = try reader.text()
      case .option("--tech-level"):
        givenTechLevel = try reader.integer(in: Fitting.knownTechLevels)
      case .option("--intensity"): intensity = Float(try reader.number(in: 0...1))
      case .option("--bypass"): isBypassed = true
      case .option("--full-scale-spl"):
        calibration = .fullScaleSPL(try reader.number(in: Self.levels))
      case .option("--input-spl"):
        calibration = .activeLevelSPL(try reader.number(in: Self.levels))
      case .option("--max-output-spl"):
        maximumOutput = try reader.number(in: Self.levels)
      case .option("--output-format"):
        encoding = try reader.choice(OutputFormat.self).encoding
      case .option("--block"): blockSize = try reader.integer(in: 1...65_536)
      case .option("--trace"): tracePath = try reader.text()
      case .option("--report"): reportPath = try reader.text()
      case .option("--quiet"): isQuiet = true
      case .option(let name): throw .unknownOption(name)
      case .operand(let text): operands.append(text)
      }
    }
    try take(operands, given)
    try check(given)
    try checkPaths()
  }

  private mutating func take(
    _ operands: [String], _ given: Set<String>
  ) throws(UsageError) {
    switch operands.count {
    case 0:
      // The demonstration is to play in any player.
      if !given.contains("--output-format") { encoding = .int16 }
    case 1:
      throw .missingOperand("OUT.wav")
    case 2:
      input = operands[0]
      output = operands[1]
    default:
      throw .unexpectedOperand(operands[2])
    }
  }

  private mutating func check(_ given: Set<String>) throws(UsageError) {
    if let rule, rule.isLevelDependent, techLevel < 3 {
      throw .conflict("--rule \(rule.name)", with: "--tech-level \(techLevel)")
    }
    if given.isSuperset(of: ["--full-scale-spl", "--input-spl"]) {
      throw .conflict("--full-scale-spl", with: "--input-spl")
    }
    guard presetPath != nil else {
      let isLevelDependent = rule?.isLevelDependent ?? (techLevel == 3)
      return try check(maximumOutput, isLevelDependent: isLevelDependent)
    }
    for option in ["--audiogram", "--rule", "--tech-level"] where given.contains(option) {
      throw .conflict(option, with: "--preset")
    }
    audiogram = nil
  }

  /// Turns away one file for two things; a recording may be rendered in its own place.
  private func checkPaths() throws(UsageError) {
    for (path, name) in [(input, "IN.wav"), (output, "OUT.wav")] {
      let files = [
        (path, name), (presetPath, "--preset"), (tracePath, "--trace"), (reportPath, "--report"),
      ]
      var paths = PathRegister()
      for case (let path?, let name) in files { try paths.add(path, as: name) }
    }
  }

  /// Turns away a ceiling that no preset of this kind may have.
  func check(_ maximumOutput: Double?, isLevelDependent: Bool) throws(UsageError) {
    let limit = EarPreset.maximumOutputLimit(isLevelDependent: isLevelDependent)
    guard let maximumOutput, !(maximumOutput > 0 && maximumOutput <= limit) else { return }
    throw .outOfRange(
      option: "--max-output-spl", value: "\(maximumOutput)", permitted: "0 to \(limit)")
  }

  /// What the processing does: 1 one gain an ear, 2 a gain a band, 3 gains by band and level.
  var techLevel: Int {
    givenTechLevel ?? (rule?.isLevelDependent == false ? 2 : 3)
  }

  /// What the user calls the listener.
  var listenerName: String { presetPath ?? audiogram ?? "" }
}
