import ExampleSupport
import HearingAudio
import HearingFitting

/// The options of `pass-thru`.
struct PassThruOptions {
  let request: AudioPassThruRequest
  /// The name of a standard audiogram or the path of a file; nil if the sound passes unchanged.
  private(set) var audiogram: String?
  /// The prescription rule; nil for the default rule.
  private(set) var rule: PrescriptionRule?
  private(set) var ear = Ear.left

  /// Parses a command line that does not include the command's name.
  init(arguments: some Sequence<String>) throws(UsageError) {
    var reader = ArgumentReader(arguments)
    var rate: AudioPassThruRequest.SamplingRate?
    var size: AudioPassThruRequest.SampleSize?
    var duration: Int?
    var hasEar = false
    while let argument = try reader.next() {
      switch argument {
      case .option("--rate"): rate = try reader.numberedChoice()
      case .option("--bits"): size = try reader.numberedChoice()
      case .option("--max-duration"):
        duration = try reader.integer(in: 1...1_000_000)
      case .option("--audiogram"): audiogram = try reader.text()
      case .option("--rule"): rule = try reader.rule()
      case .option("--ear"):
        ear = try reader.choice()
        hasEar = true
      case .option(let name): throw .unknownOption(name)
      case .operand(let text): throw .unexpectedOperand(text)
      }
    }
    guard let rate else { throw .missingOption("--rate") }
    guard let size else { throw .missingOption("--bits") }
    guard let duration else { throw .missingOption("--max-duration") }
    if audiogram == nil {
      if rule != nil { throw .missingCompanion(option: "--rule", needs: "--audiogram") }
      if hasEar { throw .missingCompanion(option: "--ear", needs: "--audiogram") }
    }
    var request = AudioPassThruRequest(
      samplingRate: rate, sampleSize: size, maximumDuration: duration)
    // Standard input may be slower than real time. Therefore no clock ends the request.
    request.clockStart = nil
    self.request = request
  }

  /// Refuses an input that is not raw PCM.
  var streamCheck: RawStreamCheck {
    RawStreamCheck(
      program: "pass-thru", format: request.sampleSize == .bits8 ? "u8" : "s16le",
      sampleRate: request.samplingRate.rawValue, channelCount: 1)
  }

  /// The text that `--help` prints.
  static var help: String {
    """
    Performs a pass-thru request on raw PCM: one channel, 8 bits unsigned or 16 bits signed,
    little-endian, from standard input to standard output.

      pass-thru --rate HZ --bits 8|16 --max-duration MS [options]

      --rate HZ            \(values(AudioPassThruRequest.SamplingRate.self))
      --bits N             \(values(AudioPassThruRequest.SampleSize.self))
      --max-duration MS    1…1000000; ends the request after this time
      --audiogram AUDIOGRAM
                           process the sound for this listener: N1 to N7, S1 to S3 or a file
      --rule RULE          the prescription rule; default: comfortable-speech
      --ear left|right     use the gains of this ear; default: left
      --help               print this help
      --version            print the version

    Standard error reports how the request ended.
    Exit codes: 64 wrong command line, 65 wrong data, 66 input not readable, 74 output not writable.

    """
  }

  private static func values<Choice: CaseIterable & RawRepresentable<Int>>(
    _ type: Choice.Type
  ) -> String {
    Choice.allCases.map { "\($0.rawValue)" }.joined(separator: " ")
  }
}
