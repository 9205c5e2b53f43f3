import ExampleSupport
import HearingAudio
import HearingDSP
import HearingFitting

/// What one call of the program is to do.
struct LiveOptions {
  /// Hz.
  private(set) var sampleRate = 0
  private(set) var channelCount = 0
  private(set) var format = LiveFormat.f32le
  /// A standard name or a file; nil: nobody, or a preset.
  private(set) var audiogram: String?
  /// Nil: that of a level-dependent fitting.
  private(set) var rule: PrescriptionRule?
  /// A preset's file, in place of audiogram and rule.
  private(set) var presetPath: String?
  /// dB SPL of RMS 1.0.
  private(set) var fullScaleSPL = 100.0
  /// dB SPL; nil: 105, or the preset's own.
  private(set) var maximumOutput: Double?
  /// Frames read, processed and written at a time.
  private(set) var sliceFrameCount = 512
  /// A socket to be made, a named pipe that is there, or `-`; nil: no control.
  private(set) var controlPath: String?
  private(set) var tellsEvents = false
  private(set) var wantsHelp = false

  /// The largest slice that can be asked for.
  static let sliceFrameCounts = 1...65_536

  /// Reads a command line without the command's name.
  init(arguments: some Sequence<String>) throws(UsageError) {
    var reader = ArgumentReader(arguments)
    var given: Set<String> = []
    while let argument = try reader.next() {
      if case .option(let name) = argument { given.insert(name) }
      switch argument {
      case .option("--help"), .option("-h"):
        wantsHelp = true
        return
      case .option("--rate"): sampleRate = try reader.integer(in: Self.sampleRates)
      case .option("--channels"):
        channelCount = try reader.integer(in: ProcessingSpec.supportedChannelCounts)
      case .option("--format"): format = try reader.choice()
      case .option("--audiogram"): audiogram = try reader.text()
      case .option("--rule"): rule = try reader.rule()
      case .option("--preset"): presetPath = try reader.text()
      case .option("--full-scale-spl"):
        fullScaleSPL = try reader.number(in: ProcessorSettings.supportedFullScales)
      case .option("--max-output-spl"):
        maximumOutput = try reader.number(
          in: 1...EarPreset.maximumOutputLimit(isLevelDependent: true))
      case .option("--slice"): sliceFrameCount = try reader.integer(in: Self.sliceFrameCounts)
      case .option("--control"): controlPath = try reader.text()
      case .option("--events"): tellsEvents = true
      case .option(let name): throw .unknownOption(name)
      case .operand(let text): throw .unexpectedOperand(text)
      }
    }
    for option in ["--rate", "--channels", "--format"] where !given.contains(option) {
      throw .missingOption(option)
    }
    if presetPath != nil {
      for option in ["--audiogram", "--rule"] where given.contains(option) {
        throw .conflict(option, with: "--preset")
      }
    }
    guard format.fullScales.contains(fullScaleSPL) else {
      throw .outOfRange(
        option: "--full-scale-spl", value: "\(fullScaleSPL)", permitted: "10 to 200 for integers")
    }
    let limit = EarPreset.maximumOutputLimit(isLevelDependent: rule?.isLevelDependent ?? true)
    if let maximumOutput, maximumOutput > limit {
      throw .outOfRange(
        option: "--max-output-spl", value: "\(maximumOutput)", permitted: "1 to \(limit)")
    }
    if rule != nil, audiogram == nil {
      throw .missingCompanion(option: "--rule", needs: "--audiogram")
    }
  }

  private static let sampleRates =
    Int(
      ProcessingSpec.supportedSampleRates.lowerBound)...Int(
      ProcessingSpec.supportedSampleRates.upperBound)
}
