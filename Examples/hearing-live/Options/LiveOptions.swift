import ExampleSupport
import Foundation
import HearingAudio
import HearingDSP
import HearingFitting

/// The options of `hearing-live`.
struct LiveOptions {
  /// The sample rate in Hz.
  private(set) var sampleRate = 0
  private(set) var channelCount = 0
  private(set) var format = LiveFormat.f32le
  /// The name of a standard audiogram or the path of an audiogram file; nil if the option
  /// `--audiogram` is missing.
  private(set) var audiogram: String?
  /// The prescription rule; nil for the default rule.
  private(set) var rule: PrescriptionRule?
  /// The path of a preset, which is used instead of an audiogram and a rule.
  private(set) var presetPath: String?
  /// The path of the headphone correction.
  private(set) var headphonePath: String?
  /// The level of an RMS of 1.0 in dB SPL.
  private(set) var fullScaleSPL = 100.0
  /// The maximum output in dB SPL; nil for the maximum output of the preset, which is read from a
  /// file or computed from the audiogram.
  private(set) var maximumOutput: Double?
  /// The number of frames in each slice that is read, processed and written.
  private(set) var sliceFrameCount = 512
  /// The source of commands: the path of a new socket, the path of an existing named pipe, or `-`
  /// for a new pipe. Nil if no commands are read.
  private(set) var controlPath: String?
  /// The path of the output file of `--compare`: a preset with the fine tuning that the listener
  /// prefers. Nil without `--compare`.
  private(set) var comparisonPath: String?
  private(set) var writesEvents = false
  /// The socket of a running program, and the commands to send to it. If nil, this program
  /// processes sound itself.
  private(set) var message: (socketPath: String, lines: [String])?

  /// The permitted numbers of frames in a slice.
  static let sliceFrameCounts = 1...65_536

  /// Parses a command line that does not include the command's name.
  init(arguments: some Sequence<String>) throws(UsageError) {
    var reader = ArgumentReader(arguments)
    var given: Set<String> = []
    var lines: [String] = []
    var socketPath: String?
    while let argument = try reader.next() {
      if case .option(let name) = argument { given.insert(name) }
      switch argument {
      case .option("--rate"): sampleRate = try reader.integer(in: Self.sampleRates)
      case .option("--channels"):
        channelCount = try reader.integer(in: ProcessingSpec.supportedChannelCounts)
      case .option("--format"): format = try reader.choice()
      case .option("--audiogram"): audiogram = try reader.text()
      case .option("--rule"): rule = try reader.rule()
      case .option("--preset"): presetPath = try reader.text()
      case .option("--headphone"): headphonePath = try reader.text()
      case .option("--full-scale-spl"):
        fullScaleSPL = try reader.number(in: ProcessorSettings.supportedFullScales)
      case .option("--max-output-spl"):
        maximumOutput = try reader.number(
          in: 1...EarPreset.maximumOutputLimit(isLevelDependent: true))
      case .option("--slice"): sliceFrameCount = try reader.integer(in: Self.sliceFrameCounts)
      case .option("--control"): controlPath = try reader.text()
      case .option("--compare"): comparisonPath = try reader.text()
      case .option("--events"): writesEvents = true
      case .option("--send"): socketPath = try reader.text()
      case .option(let name): throw .unknownOption(name)
      case .operand(let text):
        guard socketPath != nil else { throw .unexpectedOperand(text) }
        lines.append(text)
      }
    }
    if let socketPath {
      if let option = given.subtracting(["--send"]).min() {
        throw .conflict(option, with: "--send")
      }
      guard !lines.isEmpty else { throw .missingOperand("a command such as \"intensity 0.5\"") }
      message = (socketPath, lines)
      return
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
        option: "--full-scale-spl", value: "\(fullScaleSPL)",
        permitted: "\(ArgumentReader.text(of: format.fullScales)) for integers")
    }
    let limit = EarPreset.maximumOutputLimit(isLevelDependent: rule?.isLevelDependent ?? true)
    if let maximumOutput, maximumOutput > limit {
      throw .outOfRange(
        option: "--max-output-spl", value: "\(maximumOutput)",
        permitted: ArgumentReader.text(of: 1...limit))
    }
    if rule != nil, audiogram == nil {
      throw .missingCompanion(option: "--rule", needs: "--audiogram")
    }
    if comparisonPath != nil, audiogram == nil, presetPath == nil {
      throw .missingCompanion(option: "--compare", needs: "--audiogram or --preset")
    }
    var paths = PathRegister()
    if let audiogram, Audiogram.standard(named: audiogram) == nil {
      try paths.add(audiogram, as: "--audiogram")
    }
    for case (let path?, let name) in [
      (presetPath, "--preset"), (headphonePath, "--headphone"), (controlPath, "--control"),
      (comparisonPath, "--compare"),
    ] { try paths.add(path, as: name) }
  }

  private static let sampleRates =
    Int(
      ProcessingSpec.supportedSampleRates.lowerBound)...Int(
      ProcessingSpec.supportedSampleRates.upperBound)
}

extension LiveOptions {
  /// The text that `--help` prints.
  static var help: String {
    """
    Processes raw PCM for a listener in real time, from standard input to standard output.

      hearing-live --rate 48000 --channels 2 --format f32le|s16le|u8 [options]
      hearing-live --send PATH COMMAND…

      arecord -t raw -f S16_LE -r 48000 -c 2 | hearing-live --rate 48000 --channels 2 \\
        --format s16le --audiogram N3 --control live | aplay -t raw -f S16_LE -r 48000 -c 2

    The delay is one slice. The first channel is for the left ear, the second for the right ear; other
    channels get no gain. Without a listener the sound passes unchanged. The reasons not to rely
    on a hearing test are printed on standard error.

      --rate HZ                8000…192000
      --channels N             1…8
      --format F               f32le, s16le or u8
      --audiogram A            \(Audiogram.standards.map(\.name).joined(separator: " ")) or a file
      --rule RULE              the prescription rule; default: comfortable-speech
      --preset FILE.json       use this preset instead of audiogram and rule
      --headphone FILE         correct the headphone: AutoEq's ParametricEQ.txt or GraphicEQ.txt, or
                               its measured response as CSV of Hz and dB
      --full-scale-spl DB      the level of an RMS of 1.0 in dB SPL, 0…200, for integers 10…200;
                               default: 100
      --max-output-spl DB      the highest output in dB SPL; default: as the hearing allows
      --slice FRAMES           frames read, processed and written at a time, 1…65536; default: 512
      --control PATH           read commands from a socket created at PATH, or from an existing named
                               pipe; with - from a new named pipe whose path is printed
      --send PATH              send commands to a running hearing-live with --control PATH, one per
                               argument, such as "intensity 0.5", and print the answers; errors
                               are printed on standard error; the exit code is 65 after an error
                               or a missing answer
      --compare TUNED.json     find the fine tuning by comparing two settings, at most nine times; the
                               result is heard and written with the preset
                               Keys of the terminal: 1 and 2 to hear a setting, Return if the one that
                               is heard is better, = if neither is
      --events                 write events as lines of JSON to standard error
      --help                   print this help
      --version                print the version

    Integer output never clips: the maximum output stays below the largest integer, also after the
    full scale changes. Without a listener, floating-point samples beyond ±1.0 pass, with a warning.

    Commands, one per line. Each is answered as soon as the session has decided, with "ok", the line
    and the result, or with "error", the line and the reason. Answers to a pipe go to standard error.

    \(ControlCommand.list)

    Ends when the input ends, when the output is closed, or on SIGINT, SIGTERM or SIGHUP. All input
    that was read is written.
    Exit codes: 64 wrong command line, 65 wrong data, 66 input not readable, 73 and 74 output not
    writable.

    """
  }
}
