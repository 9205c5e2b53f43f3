import Foundation
import HearingAudio
import HearingDSP
@_spi(Measuring) import HearingFitting

/// Renders sounds for listeners with any prescription rule. The scripts in `benefit` use this
/// program.
///
/// Each line of standard input is a job in JSON. Each line of standard output is the result of a
/// job. Samples are raw 32-bit floating point, mono. Both ears get the same sound, and the output
/// of the left ear is written.
@main
struct BenefitRenderer {
  static func main() throws {
    guard CommandLine.arguments.count == 1 else {
      return print("BenefitRenderer reads jobs in JSON, one a line: see Benchmarks/benefit")
    }
    while let line = readLine() {
      let job = try JSONDecoder().decode(Job.self, from: Data(line.utf8))
      let preset = try job.preset()
      let result = try job.render(with: preset)
      let text = String(decoding: try JSONEncoder().encode(result), as: UTF8.self)
      FileHandle.standardOutput.write(Data((text + "\n").utf8))
    }
  }
}

/// A sound, a listener and a prescription.
struct Job: Decodable {
  /// The path of the input samples.
  let input: String
  let output: String
  let sampleRate: Double
  /// The name of a standard audiogram.
  let audiogram: String
  /// Pairs of frequency in Hz and threshold in dB HL. They replace the standard audiogram.
  let thresholds: [[Double]]?
  /// The name of a rule, "none", or the path of a preset.
  let rule: String
  /// The kind of sound. It determines the default values of `parameters`.
  let program: Program
  /// The parameters of a rule, which is used instead of `rule`.
  let parameters: [String: Double]?
  /// Whether the standard fitting limits apply.
  let isLimited: Bool
  /// The maximum output in dB SPL; nil for the maximum output that the limits determine.
  let maximumOutput: Double?
  /// The output ceiling in dB SPL. It replaces the preset's ceiling.
  let ceiling: Double?
  /// The look-ahead of the limiter in seconds.
  let lookAhead: Double

  struct Result: Encodable {
    /// The fraction of time in which the limiter reduces the gain by more than 0.5 dB, 0…1.
    let limitedShare: Double
    /// The maximum gain reduction of the limiter in dB.
    let greatestReduction: Double
  }

  func preset() throws -> Preset? {
    guard rule != "none" else { return nil }
    guard !rule.hasSuffix(".json") else {
      return try Preset(json: Data(contentsOf: URL(filePath: rule)))
    }
    guard let hearing = try hearing(),
      let rule = parameters.map(rule) ?? PrescriptionRule(name: rule)
    else { throw CocoaError(.keyValueValidation) }
    let fitting = Fitting(
      techLevel: rule.isLevelDependent ? 3 : 2, rule: rule, maximumOutput: maximumOutput,
      program: program,
      limits: isLimited ? .standard : .none)
    return try fitting.preset(for: HearingProfile(left: hearing, right: hearing))
  }

  private func hearing() throws -> Audiogram? {
    guard let thresholds else { return Audiogram.standard(named: audiogram) }
    return try Audiogram(
      points: thresholds.map { Audiogram.Point(frequency: $0[0], threshold: $0[1]) })
  }

  private func rule(_ values: [String: Double]) -> PrescriptionRule {
    var parameters = program == .music ? ComfortParameters.music : .speech
    let paths: [String: WritableKeyPath<ComfortParameters, Double>] = [
      "camfitShare": \.camfitShare, "extraGain": \.extraGain,
      "lowExtraGain": \.lowExtraGain, "highestBandCut": \.highestBandCut,
      "severeGain": \.severeGain, "profoundCut": \.profoundCut, "mildRatio": \.mildRatio,
      "ratioLoss": \.ratioLoss, "maximumRatio": \.maximumRatio,
      "loudRatioLoss": \.loudRatioLoss, "attackTime": \.attackTime,
      "releaseTime": \.releaseTime,
    ]
    for (name, value) in values {
      guard let path = paths[name] else { preconditionFailure("unknown parameter \(name)") }
      parameters[keyPath: path] = value
    }
    return .comfortable(parameters, name: "candidate", version: 1)
  }

  func render(with preset: Preset?) throws -> Result {
    var samples = try Data(contentsOf: URL(filePath: input)).withUnsafeBytes {
      Array($0.bindMemory(to: Float.self))
    }
    var other = samples
    let spec = ProcessingSpec(sampleRate: sampleRate, channelCount: 2)
    guard let layout = BandLayout.audiometric.limited(to: sampleRate) else {
      throw CocoaError(.keyValueValidation)
    }
    let processor = try BandGainProcessor(
      spec: spec, layout: layout,
      limiter: LimiterConfiguration(lookAhead: lookAhead, isLinked: true))
    var settings = try ProcessorSettings(preset: preset, layout: layout, ears: [.left, .right])
    settings.channelLinking = 1
    settings.allowsOutputAboveFullScale = true
    if let ceiling { settings.outputCeilings = [ceiling, ceiling] }
    try processor.apply(settings)
    let count = samples.count
    samples.withUnsafeMutableBufferPointer { left in
      other.withUnsafeMutableBufferPointer { right in
        guard let left = left.baseAddress, let right = right.baseAddress else { return }
        var done = 0
        while done < count {
          let frames = min(512, count - done)
          withUnsafeTemporaryAllocation(of: UnsafeMutablePointer<Float>.self, capacity: 2) {
            $0.initializeElement(at: 0, to: left + done)
            $0.initializeElement(at: 1, to: right + done)
            if let pointers = $0.baseAddress { processor.process(pointers, frameCount: frames) }
          }
          done += frames
        }
      }
    }
    try samples.withUnsafeBytes { Data($0) }.write(to: URL(filePath: output))
    let levels = processor.levels.channels[0]
    return Result(
      limitedShare: Double(levels.limitedFrameCount) / Double(max(1, count)),
      greatestReduction: levels.greatestLimiterReduction)
  }
}
