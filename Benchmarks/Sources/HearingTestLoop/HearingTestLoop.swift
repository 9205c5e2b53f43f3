import Foundation
import HearingAudio
import HearingAudiometry
import HearingDSP
import HearingFitting
import HearingProcessing

/// Runs all steps for a listener, from the hearing test to processed sound. Used by
/// `benefit/hearing_test.py`.
///
///     HearingTestLoop AUDIOGRAM SEED|true RATE IN OUT [IN OUT …]
///
/// A session is active, and a processor follows the settings of the session. During the hearing
/// test, an interruption disables processing. A simulated listener with a standard audiogram
/// answers the test. With "true" instead of a seed, the true thresholds replace the result of the
/// test. After the test, the profile is reported to the session's controller, the preset is loaded
/// again, and the processor renders the sounds.
///
/// Sounds are raw 32-bit floating point, mono. An RMS of 1.0 represents 100 dB SPL. Both ears get
/// the same sound, and the output of the left ear is written. The left ear's thresholds and the
/// number of tones are printed as JSON.
@main
struct HearingTestLoop {
  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.isEmpty || arguments.contains("--help") || arguments.contains("-h") {
      return print(
        "HearingTestLoop AUDIOGRAM SEED|true RATE IN OUT [IN OUT …]: see Benchmarks/benefit")
    }
    guard arguments.count >= 5, arguments.count.isMultiple(of: 2) == false,
      let audiogram = Audiogram.standard(named: arguments[0]), let rate = Double(arguments[2])
    else { throw CocoaError(.keyValueValidation) }
    let loop = HearingTestLoop(
      truth: HearingProfile(left: audiogram, right: audiogram), seed: UInt64(arguments[1]))
    try await loop.run(
      rate: rate,
      files: stride(from: 3, to: arguments.count, by: 2).map { (arguments[$0], arguments[$0 + 1]) })
  }

  private struct Outcome: Encodable {
    let tones: Int
    let thresholds: [String: Double]
  }

  private let truth: HearingProfile
  /// The seed of the simulated listener. If nil, the true thresholds replace the result of a test.
  private let seed: UInt64?

  private func run(rate: Double, files: [(input: String, output: String)]) async throws {
    let controller = ProcessingController()
    let session = try controller.activate(
      presetDataSource: .default(DefaultPresetDataSource(fitting: .techLevel(3))))
    guard let layout = BandLayout.audiometric.limited(to: rate) else {
      throw CocoaError(.keyValueValidation)
    }
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: rate, channelCount: 2), layout: layout,
      limiter: LimiterConfiguration(lookAhead: 0.002, isLinked: true))
    let binding = session.bind(to: processor, allowsOutputAboveFullScale: true)
    _ = try await session.isEnabled.apply(true).get()

    let (truth, seed) = (truth, seed)
    let profile = try await session.withInterruption(reason: "hearing test") {
      guard let seed else { return truth }
      return try Self.measured(truth, seed: seed)
    }
    _ = try await controller.report(.hearingTestSubmitted(profile)).get()
    guard session.isEnabled.value, session.preset.value != nil else {
      throw CocoaError(.featureUnsupported)
    }
    for (input, output) in files {
      processor.reset()
      try Self.render(input, to: output, with: processor)
    }
    withExtendedLifetime(binding) {}
    let result = Outcome(
      tones: profile.record?.toneCount ?? 0,
      thresholds: Dictionary(
        uniqueKeysWithValues: (profile.left?.points ?? []).map {
          ("\(Int($0.frequency))", $0.threshold)
        }))
    FileHandle.standardOutput.write(try JSONEncoder().encode(result))
  }

  private static func measured(_ truth: HearingProfile, seed: UInt64) throws -> HearingProfile {
    let calibration = try HeadphoneCalibration(
      name: "simulated headphone", referenceThresholds: .hda200,
      fullScaleLevels: Dictionary(
        uniqueKeysWithValues: ToneTest.standardFrequencies.map { ($0, 120) }))
    var listener = SimulatedListener(profile: truth, seed: seed)
    var test = try ToneTest(method: .bayesian, calibration: calibration, seed: seed)
    return listener.take(&test)
  }

  private static func render(
    _ input: String, to output: String, with processor: BandGainProcessor
  ) throws {
    let samples = try Data(contentsOf: URL(filePath: input)).withUnsafeBytes {
      Array($0.bindMemory(to: Float.self))
    }
    var rendered: [Float] = []
    for start in stride(from: 0, to: samples.count, by: 512) {
      let piece = Array(samples[start..<min(start + 512, samples.count)])
      let block = AudioBlock([piece, piece])
      processor.process(block)
      rendered += block.samples[0]
    }
    try rendered.withUnsafeBytes { Data($0) }.write(to: URL(filePath: output))
  }
}
