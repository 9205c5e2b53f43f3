import ExampleSupport
import Foundation
import HearingAudio
import HearingFitting

/// The options of `hearing-render`.
struct RenderOptions {
  /// The path of the input; nil for the embedded recording.
  var input: String?
  var output = "hearing-render-output.wav"
  /// The name of a standard audiogram or the path of an audiogram file; nil if a preset is given.
  var audiogram: String? = "N3"
  /// The path of a preset, which is used instead of an audiogram and a rule.
  var presetPath: String?
  /// The URL of a preset, which is used instead of an audiogram and a rule.
  var presetURL: URL?
  /// The prescription rule; nil for the default rule of the tech level.
  var rule: PrescriptionRule?
  var program = Program.speech
  /// The gain limits: "none" or the path of a JSON file; nil for the standard limits.
  var limits: String?
  /// Whether floating-point output is never attenuated, even if samples are beyond ±1.0.
  var keepsScale = false
  /// The attenuation of the output in dB. If nil, the program determines it from the rendered
  /// sound.
  var attenuation: Double?
  /// The path of the file for the unprocessed sound. It is attenuated by as much as the output.
  var comparisonPath: String?
  /// The path of the headphone correction.
  var headphonePath: String?
  /// The tech level from the command line. If nil, tech level 2 is used for a linear rule, and tech
  /// level 3 for other rules.
  var givenTechLevel: Int?
  var intensity: Float = 1
  var isBypassed = false
  /// Whether the output differs from the input only by the attenuation.
  var leavesSoundUnchanged: Bool { isBypassed && headphonePath == nil }
  /// The relation between sample values and sound pressure levels.
  ///
  /// If nil, the speech in a file is assumed to have the level of a conversation. For a stream, the
  /// default full-scale level is assumed, because the level of a stream cannot be measured in
  /// advance.
  var calibration: InputCalibration?
  /// The maximum output in dB SPL; nil for the value in the preset. Without a preset, nil means that
  /// the fitting determines the maximum output.
  var maximumOutput: Double?
  var encoding = SampleEncoding.float32
  var blockSize = 512
  /// The path of the CSV file for levels and gains over time.
  var tracePath: String?
  /// The path of the HTML data sheet of the fitted preset. With this option, no sound is rendered.
  var dataSheetPath: String?
  /// The path of the HTML file that explains the fitting and its effect on the sound.
  var reportPath: String?
  /// Whether to print the summary as JSON.
  var printsJSON = false
  var isQuiet = false

  /// The encodings that `--output-format` accepts.
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

  /// The permitted levels in dB SPL on the command line.
  private static let levels = 0.0...200.0
  /// The permitted attenuations in dB on the command line.
  private static let attenuations = 0.0...80.0

  /// Parses a command line that does not include the command's name.
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
      case .option("--scale"): attenuation = try reader.number(in: Self.attenuations)
      case .option("--compare"): comparisonPath = try reader.text()
      case .option("--json"): printsJSON = true
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
      case .option("--data-sheet"): dataSheetPath = try reader.text()
      case .option("--quiet"): isQuiet = true
      case .option(let name): throw .unknownOption(name)
      case .operand(let text): operands.append(text)
      }
    }
    try accept(operands, given)
    try check(given)
    try checkPaths()
  }

  /// The options that cannot be combined with a data sheet.
  private static let renderingOptions = [
    "--keep-scale", "--scale", "--compare", "--headphone", "--bypass", "--full-scale-spl",
    "--input-spl", "--output-format", "--block", "--trace", "--report",
  ]

  private mutating func accept(
    _ operands: [String], _ given: Set<String>
  ) throws(UsageError) {
    if dataSheetPath != nil {
      if let operand = operands.first { throw .unexpectedOperand(operand) }
      for option in Self.renderingOptions where given.contains(option) {
        throw .conflict(option, with: "--data-sheet")
      }
      return
    }
    switch operands.count {
    case 0:
      // If no files are named, the encoding is int16, because every player supports int16.
      if !given.contains("--output-format") { encoding = .int16 }
      comparisonPath = comparisonPath ?? "hearing-render-before.wav"
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
    if given.isSuperset(of: ["--scale", "--keep-scale"]) {
      throw .conflict("--scale", with: "--keep-scale")
    }
    if given.isSuperset(of: ["--json", "--quiet"]) { throw .conflict("--json", with: "--quiet") }
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

  /// Throws an error if a file is named for two arguments, so that no input is overwritten.
  private func checkPaths() throws(UsageError) {
    let audiogram = audiogram.flatMap { Audiogram.standard(named: $0) == nil ? $0 : nil }
    let files = [
      (input, "IN.wav"), (audiogram, "--audiogram"), (presetPath, "--preset"),
      (limits == "none" ? nil : limits, "--limits"), (headphonePath, "--headphone"),
      (dataSheetPath == nil ? output : nil, "OUT.wav"), (comparisonPath, "--compare"),
      (tracePath, "--trace"),
      (reportPath, "--report"), (dataSheetPath, "--data-sheet"),
    ]
    var paths = PathRegister()
    for case (let path?, let name) in files { try paths.add(path, as: name) }
    for case (let path?, let name) in [(output, "OUT.wav"), (comparisonPath, "--compare")] {
      try OtherSoundFormat.checkOutput(path, option: name)
    }
  }

  /// Throws an error if a preset cannot have this maximum output. `isLevelDependent` says whether
  /// the gains of the preset depend on the input level.
  func check(_ maximumOutput: Double?, isLevelDependent: Bool) throws(UsageError) {
    let limit = EarPreset.maximumOutputLimit(isLevelDependent: isLevelDependent)
    guard let maximumOutput, !(maximumOutput > 0 && maximumOutput <= limit) else { return }
    throw .outOfRange(
      option: "--max-output-spl", value: "\(maximumOutput)",
      permitted: ArgumentReader.text(of: 0...limit))
  }

  /// The tech level, which says what the gains depend on. 1: one gain per ear; 2: one gain per
  /// band; 3: gains that depend on band and input level.
  var techLevel: Int {
    givenTechLevel ?? (rule?.isLevelDependent == false ? 2 : 3)
  }

  /// The audiogram, path or URL of the listener, as the user typed it.
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
                                              → hearing-render-output.wav in the current folder,
                                              and hearing-render-before.wav to compare it with
      hearing-render IN.wav OUT.wav [options]

    Mono is rendered for both ears. In stereo the left channel is for the left ear. The reasons not to
    rely on a hearing test are printed on standard error.

      --audiogram A            \(Audiogram.standards.map(\.name).joined(separator: " ")) or a file; default: N3
      --rule RULE              \(rules); default: set by the tech level
      --tech-level 1|2|3       1: one gain per ear, 2: a gain per band (nal-rp), 3: gains per band
                               and input level (default: comfortable-speech)
      --program speech|music   the kind of sound; default: speech
      --limits FILE.json|none  limits of the gains, or the rule as published
      --preset FILE.json       use this preset instead of audiogram and rule
      --preset-url URL         load the preset from a server; https, or http on this machine
      --intensity 0…1          the fraction of each gain in dB that is applied; default: 1
      --headphone FILE         correct the headphone: AutoEq's ParametricEQ.txt or GraphicEQ.txt, or
                               its measured response as CSV of Hz and dB
      --bypass                 do not process: no gain, no limiting
      --input-spl DB           the level of the recorded speech in dB SPL; default: 65
      --full-scale-spl DB      or the level of an RMS of 1.0 in dB SPL
      --max-output-spl DB      the highest output in dB SPL; default: as the hearing allows
      --output-format F        float32 (default), int16 or int24; default without files: int16
      --compare BEFORE.wav     also write the sound as it was, on the scale of the output: play
                               both at one volume
      --scale DB               attenuate by this much; for a series of files. Default: what the
                               highest rendered sample needs, or a higher one of IN.wav above 1.0
      --keep-scale             do not attenuate floating-point output beyond ±1.0
      --trace FILE.csv         write input level and gain of every band, every 10 ms
      --report REPORT.html     write a page about the fitting and its effect on the sound
      --data-sheet PAGE.html   instead of rendering, measure the fitting with test signals, as on the
                               data sheet of a hearing aid; no IN.wav and OUT.wav
      --block FRAMES           frames rendered at a time, 1…65536; default: 512
      --json                   print the summary as JSON
      --quiet                  print nothing
      --help                   print this help
      --version                print the version

    The output is attenuated so that no player clips it; the amount is printed, and the volume that
    brings back the prescribed level.
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
