import BenchmarkSupport
import Foundation
import HearingAudio
import HearingDSP

/// Runs processors with random layouts and samples. Random settings are applied between renderings.
enum RandomProcessors {
  /// - Returns: The number of rendered frames.
  static func run(seeds: Range<UInt64>) throws -> Int {
    var frames = 0
    for seed in seeds { frames += try run(seed: seed) }
    return frames
  }

  private static func run(seed: UInt64) throws -> Int {
    var random = RandomNumbers(seed: seed)
    let rate = random.element([8_000.0, 16_000, 22_050, 44_100, 48_000, 96_000, 192_000])
    let channels = random.count(1...3)
    let spec = ProcessingSpec(sampleRate: rate, channelCount: channels)
    let layout = try layout(rate: rate, &random)
    let limiter = LimiterConfiguration(lookAhead: random.element([0, 0, 0.002, 0.01]))
    let processor = try BandGainProcessor(spec: spec, layout: layout, limiter: limiter)
    var frames = 0
    for _ in 0..<4 {
      try processor.apply(settings(channels: channels, layout: layout, &random))
      let input = (0..<channels).map { _ in random.samples(2_048) }
      let block = AudioBlock(input)
      // The blocks have random sizes. The channel pointers of a block are prepared outside of the
      // checked call.
      let rows = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: channels)
      defer { rows.deallocate() }
      var position = 0
      while position < 2_048 {
        let count = min(random.element([1, 7, 64, 480, 2_048]), 2_048 - position)
        for channel in 0..<channels {
          (rows + channel).initialize(to: block.channels[channel] + position)
        }
        realtime { processor.process(rows, frameCount: count) }
        position += count
      }
      if random.isLucky() { realtime { processor.reset() } }
      frames += 2_048
    }
    return frames
  }

  private static func layout(rate: Double, _ random: inout RandomNumbers) throws -> BandLayout {
    let known = random.element([BandLayout.audiometric, .thirdOctave])
    if random.isLucky(), let layout = known.limited(to: rate) { return layout }
    let centers = (0..<random.count(1...8)).map { _ in random.number(in: 20...0.44 * rate) }
    return try BandLayout(centers: Set(centers).sorted())
  }

  private static func settings(
    channels: Int, layout: BandLayout, _ random: inout RandomNumbers
  ) throws -> ProcessorSettings {
    var curves: [[BandCurve]] = []
    for _ in 0..<channels {
      curves.append(try layout.centers.map { _ in try curve(&random) })
    }
    var settings = ProcessorSettings(
      curves: curves, outputCeiling: random.number(in: 0...200),
      intensity: random.number(in: 0...1),
      channelLinking: random.number(in: 0...1),
      calibration: Calibration(fullScaleSPL: random.number(in: 60...140)))
    settings.isEnabled = random.count(0...5) > 0
    settings.allowsOutputAboveFullScale = random.isLucky()
    if random.isLucky() {
      settings.headphone = try HeadphoneCorrection(
        sections: [.init(.peak, frequency: 3_000, gain: random.number(in: -20...20), quality: 1.4)],
        preampGain: random.number(in: -20...0))
    }
    return settings
  }

  private static func curve(_ random: inout RandomNumbers) throws -> BandCurve {
    if random.isLucky() { return .gain(random.number(in: -80...80)) }
    var level = random.number(in: -50...60)
    let points = (0..<random.count(1...6)).map { _ in
      level += random.number(in: 0.01...40)
      return BandCurve.Point(level: level, gain: random.number(in: -80...80))
    }
    return try BandCurve(
      points: points, attackTime: random.element([0, 0.01]), releaseTime: random.element([0, 0.1]),
      maximumOutput: random.isLucky() ? nil : random.number(in: 0...200))
  }
}
