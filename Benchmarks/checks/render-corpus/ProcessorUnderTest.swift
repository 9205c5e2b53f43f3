import HearingDSP

/// The processor as the corpus uses it. All calls to the public API of the processor are in this
/// file.
///
/// Arguments with defaults are passed explicitly, so that a changed default does not change the
/// rendering. If names differ between the two checkouts, use `#if AFTER` for the names of the
/// second checkout.
final class ProcessorUnderTest {
  let processor: BandGainProcessor
  let channelCount: Int
  let bandCount: Int

  /// The arguments with which a processor is created.
  struct Plan {
    var sampleRate: Double
    var channelCount: Int
    var layout: Layout
    var lookAhead = 0.0
    var isLinked = false

    /// The centres in Hz of the bands that are possible at the sample rate.
    var centers: [Double] {
      (try? layout.layout().limited(to: sampleRate)?.centers) ?? []
    }
  }

  enum Layout {
    case audiometric, octave, thirdOctave
    case custom([Double])

    func layout() throws -> BandLayout {
      switch self {
      case .audiometric: .audiometric
      case .octave: .octave
      case .thirdOctave: .thirdOctave
      case .custom(let centers): try BandLayout(centers: centers)
      }
    }
  }

  init(_ plan: Plan) throws {
    channelCount = plan.channelCount
    bandCount = plan.centers.count
    processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: plan.sampleRate, channelCount: plan.channelCount),
      layout: BandLayout(centers: plan.centers),
      limiter: LimiterConfiguration(lookAhead: plan.lookAhead, isLinked: plan.isLinked))
  }

  func apply(_ plan: SettingsPlan) throws {
    try processor.apply(Self.settings(plan))
  }

  private static func settings(_ plan: SettingsPlan) throws -> ProcessorSettings {
    ProcessorSettings(
      curves: try plan.curves.map { try $0.map(curve) }, outputCeilings: plan.ceilings,
      allowsOutputAboveFullScale: true, intensity: plan.intensity, isEnabled: plan.isEnabled,
      channelLinking: plan.channelLinking,
      calibration: Calibration(fullScaleSPL: plan.fullScale))
  }

  private static func curve(_ plan: SettingsPlan.Curve) throws -> BandCurve {
    if plan.points.count == 1 && plan.maximumOutput == nil { return .gain(plan.points[0].gain) }
    return try BandCurve(
      points: plan.points.map { BandCurve.Point(level: $0.level, gain: $0.gain) },
      attackTime: plan.attackTime, releaseTime: plan.releaseTime,
      maximumOutput: plan.maximumOutput)
  }

  @inline(__always)
  func process(_ channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, frameCount: Int) {
    processor.process(UnsafePointer(channels), frameCount: frameCount)
  }

  @inline(__always)
  func processInterleaved(_ frames: UnsafeMutablePointer<Float>, frameCount: Int) {
    processor.processInterleaved(frames, frameCount: frameCount)
  }

  func reset() {
    processor.reset()
  }

  func addLevels(to record: inout CaseRecord) {
    for channel in processor.levels.channels {
      for gain in channel.gains { record.levels.add(gain) }
      record.levels.add(channel.inputLevels != nil)
      for level in channel.inputLevels ?? [] { record.levels.add(level) }
      record.levels.add(channel.inputPeak)
      record.levels.add(channel.outputPeak)
      record.limiter.add(channel.limiterReduction)
      record.limiter.add(channel.greatestLimiterReduction)
      record.limiter.add(channel.limitedFrameCount)
    }
    record.control.add(processor.settingsInForce)
  }

  /// Whether the limiter has been active since the last reset, and whether it is active now.
  var limiterActivity: (wasActive: Bool, isActive: Bool) {
    let channels = processor.levels.channels
    return (
      channels.contains { $0.greatestLimiterReduction > 0.5 },
      channels.contains { $0.limiterReduction > 0 }
    )
  }

  /// The fraction of `frameCount` frames in which the limiter has attenuated the first channel.
  func limitedFraction(of frameCount: Int) -> Double {
    Double(processor.levels.channels[0].limitedFrameCount) / Double(frameCount)
  }

  func addControl(to record: inout CaseRecord) {
    record.control.add(processor.latency)
    record.control.add(processor.settingsPublished)
    for channel in 0..<channelCount {
      for frequency in [150.0, 1_000, 3_300] {
        record.control.add(processor.response(at: frequency, channel: channel, inputLevel: 60))
      }
    }
  }
}
