import ExampleSupport
import Foundation
import HearingAudio
import HearingFitting

/// The options of `hearing-render`.
struct RenderOptions {
  /// Nil: the embedded recording.
  var input: String?
  var output = "hearing-render-output.wav"
  /// The name of a standard audiogram or a file; nil with a preset.
  var audiogram: String? = "N3"
  /// The file of a preset, which replaces audiogram and rule.
  var presetPath: String?
  /// The URL of a preset, used instead of a file.
  var presetURL: URL?
  /// The prescription rule; nil: the default rule of the tech level.
  var rule: PrescriptionRule?
  var program = Program.speech
  /// "none" or a JSON file; nil: the standard limits.
  var limits: String?
  /// Whether floating-point output beyond ±1.0 is not attenuated.
  var keepsScale = false
  /// The file that corrects the headphone.
  var headphonePath: String?
  /// Nil: 3, or 2 for a linear rule.
  var givenTechLevel: Int?
  var intensity: Float = 1
  var isBypassed = false
  /// The sound pressure level of the samples; nil: the active level of a file is assumed to be that
  /// of conversation, and the level of a stream is not measured.
  var calibration: InputCalibration?
  /// The maximum output in dB SPL; nil: that of the preset, or 105.
  var maximumOutput: Double?
  var encoding = SampleEncoding.float32
  var blockSize = 512
  /// The CSV file for levels and gains over time.
  var tracePath: String?
  /// The HTML file that explains the fitting and its effect on the sound.
  var reportPath: String?
  var isQuiet = false

  /// The encodings of `--output-format`.
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

  /// The permitted levels in dB SPL.
  private static let levels = 0.0...200.0

  /// Reads a command line without the command's name.
  init(arguments: some Sequence<String>) throws(UsageError) {
    var reader = ArgumentReader(arguments)
    var operands: [String] = []
    var given: Set<String> = []
    while let argument = try reader.next() {
      if case .option(let name) = argument { given.insert(name) }
      switch argument {
      case .option("--audiogram"): audiogram = try reader.text()
      case .option("--rule"): rule = try reader.rule()
      case .option("--program"): program = try reader.program()
      case .option("--limits"): limits = try reader.text()
      case .option("--keep-scale"): keepsScale = true
      case .option("--preset"): presetPath = try reader.text()
      case .option("--preset-url"): presetURL = try Self.url(try reader.text())
      case .option("--tech-level"):
        givenTechLevel = try reader.integer(in: Fitting.knownTechLevels)
      case .option("--intensity"): intensity = Float(try reader.number(in: 0...1))
      case .option("--headphone"): headphonePath = try reader.text()
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
      // Every player supports int16.
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
    guard let source = presetURL != nil ? "--preset-url" : presetPath.map({ _ in "--preset" })
    else {
      let isLevelDependent = rule?.isLevelDependent ?? (techLevel == 3)
      return try check(maximumOutput, isLevelDependent: isLevelDependent)
    }
    var excluded = ["--audiogram", "--rule", "--tech-level", "--program", "--limits"]
    if presetURL != nil { excluded += ["--preset", "--max-output-spl"] }
    for option in excluded where given.contains(option) {
      throw .conflict(option, with: source)
    }
    audiogram = nil
  }

  /// Refuses a file that is named for two arguments, so that no input is overwritten.
  private func checkPaths() throws(UsageError) {
    let audiogram = audiogram.flatMap { Audiogram.standard(named: $0) == nil ? $0 : nil }
    let files = [
      (input, "IN.wav"), (audiogram, "--audiogram"), (presetPath, "--preset"),
      (limits == "none" ? nil : limits, "--limits"), (headphonePath, "--headphone"),
      (output, "OUT.wav"), (tracePath, "--trace"), (reportPath, "--report"),
    ]
    var paths = PathRegister()
    for case (let path?, let name) in files { try paths.add(path, as: name) }
  }

  /// Refuses a maximum output that a preset of this kind cannot have.
  func check(_ maximumOutput: Double?, isLevelDependent: Bool) throws(UsageError) {
    let limit = EarPreset.maximumOutputLimit(isLevelDependent: isLevelDependent)
    guard let maximumOutput, !(maximumOutput > 0 && maximumOutput <= limit) else { return }
    throw .outOfRange(
      option: "--max-output-spl", value: "\(maximumOutput)",
      permitted: ArgumentReader.text(of: 0...limit))
  }

  /// 1: one gain per ear, 2: a gain per band, 3: gains per band and level.
  var techLevel: Int {
    givenTechLevel ?? (rule?.isLevelDependent == false ? 2 : 3)
  }

  /// The listener's name as the user typed it.
  var listenerName: String { presetURL?.absoluteString ?? presetPath ?? audiogram ?? "" }

  private static func url(_ text: String) throws(UsageError) -> URL {
    guard let url = URL(string: text), url.host != nil else {
      throw .invalidValue(
        option: "--preset-url", reason: "\(text.quoted) is not a URL with a host")
    }
    return url
  }
}

extension RenderOptions {
  /// The text that `--help` prints.
  static var help: String {
    """
    Renders a sound file for a listener.

      hearing-render                          the embedded recording, audiogram N3
                                              → hearing-render-output.wav in the current folder
      hearing-render IN.wav OUT.wav [options]

    Mono is rendered for both ears. In stereo the left channel is for the left ear.

      --audiogram A            \(Audiogram.standards.map(\.name).joined(separator: " ")) or a file; default: N3
      --rule RULE              \(rules); default: set by the tech level
      --tech-level 1|2|3       1: one gain per ear, 2: a gain per band (nal-rp), 3: gains per band
                               and input level (default: comfortable-speech)
      --program speech|music   the kind of sound; default: speech
      --limits FILE.json|none  limits of the gains, or the rule as published
      --preset FILE.json       use this preset instead of audiogram and rule
      --preset-url URL         load the preset from a server; https, or http on this machine
      --intensity 0…1          the share of each gain in dB that is applied; default: 1
      --headphone FILE         correct the headphone: AutoEq's ParametricEQ.txt or GraphicEQ.txt, or
                               its measured response as CSV of Hz and dB
      --bypass                 do not process: no gain, no limiting
      --input-spl DB           the level of the recorded speech in dB SPL; default: 65
      --full-scale-spl DB      or the level of an RMS of 1.0 in dB SPL
      --max-output-spl DB      the maximum output in dB SPL; default: 105
      --output-format F        float32 (default), int16 or int24
      --keep-scale             do not attenuate floating-point output beyond ±1.0
      --trace FILE.csv         write input level and gain of every band, every 10 ms
      --report REPORT.html     write a page about the fitting and its effect on the sound
      --block FRAMES           frames rendered at a time, 1…65536; default: 512
      --quiet                  print nothing
      --help                   print this help
      --version                print the version

    The output is attenuated so that no player clips it; the amount is printed.
    Exit codes: 64 wrong command line, 65 wrong data, 66 input not readable, 73 and 74 output not
    writable.

    """
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
