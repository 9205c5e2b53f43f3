import ExampleSupport
import HearingAudio
import HearingFitting

/// What the user wants of `pass-thru`.
struct PassThruOptions {
  let request: AudioPassThruRequest
  /// A standard name or a file; nil: the sound stays as it is.
  private(set) var audiogram: String?
  /// nil: that of a level-dependent fitting.
  private(set) var rule: PrescriptionRule?
  private(set) var ear = Ear.left
  private(set) var wantsHelp = false

  /// Reads a command line without the command's name.
  init(arguments: some Sequence<String>) throws(UsageError) {
    var reader = ArgumentReader(arguments)
    var rate: AudioPassThruRequest.SamplingRate?
    var size: AudioPassThruRequest.SampleSize?
    var duration: Int?
    var hasEar = false
    while let argument = try reader.next() {
      switch argument {
      case .option("--help"), .option("-h"):
        wantsHelp = true
        request = AudioPassThruRequest(
          samplingRate: .hz8000, sampleSize: .bits8, maximumDuration: 1)
        return
      case .option("--rate"): rate = try reader.numberedChoice()
      case .option("--bits"): size = try reader.numberedChoice()
      case .option("--max-duration"):
        duration = try reader.integer(in: AudioPassThruRequest.supportedDurations)
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
    request = AudioPassThruRequest(
      samplingRate: rate, sampleSize: size, maximumDuration: duration)
  }

  /// What `--help` prints.
  static var help: String {
    """
    Performs a pass-thru request on raw PCM: one channel, 8 bits unsigned or 16 bits signed,
    little-endian, from standard input to standard output.

      pass-thru --rate HZ --bits 8|16 --max-duration MS [options]

      --rate HZ            \(values(AudioPassThruRequest.SamplingRate.self))
      --bits N             \(values(AudioPassThruRequest.SampleSize.self))
      --max-duration MS    1 to 1000000; what exceeds it is cut off
      --audiogram AUDIOGRAM
                           process the sound for this listener: N1 to N7, S1 to S3 or a file
      --rule RULE          the prescription rule; default: the level-dependent one
      --ear left|right     whose gains the sound gets; default: left
      --help               print this

    What ended the request is told on standard error.
    Exit codes: 64 wrong use, 65 wrong data, 66 no input, 74 output cannot be written.

    """
  }

  private static func values<Choice: CaseIterable & RawRepresentable<Int>>(
    _ type: Choice.Type
  ) -> String {
    Choice.allCases.map { "\($0.rawValue)" }.joined(separator: " ")
  }
}
