internal import HearingBuffers

/// One complete, computed set of settings in flat memory.
///
/// The control side writes it while it owns the slot. After that, it is only read.
struct SettingsSlot: ~Copyable {
  var generation: UInt64 = 0
  /// The generation that set the gains; later generations changed only ceilings and `isEnabled`.
  var gainGeneration: UInt64 = 0
  var isEnabled = false
  /// Whether any gain of any channel depends on level.
  var isLevelDependent = false
  /// The channels whose gains are all 0 dB.
  var flatChannels = ChannelSet()
  /// How far a channel's levels are moved towards those of the loudest channel, 0…1.
  var channelLinking: Float = 0
  /// The level in dB SPL of RMS 1.0.
  var fullScale: Float = 100
  /// The correction of the headphone, the same for every channel.
  var headphone = HeadphoneTargets()
  /// The sections of that correction, vector by vector.
  let headphoneSections: OwnedRow<SectionTargets>
  let channels: OwnedRow<ChannelSettings>
  /// Targets of the sections, `[channel][vector]`.
  let sections: OwnedRow<SectionTargets>
  /// Gains in dB of channels without level dependence, `[channel][band]`, intensity included.
  let gains: OwnedRow<Float>
  /// The gains in dB that the sections of those channels together reach, `[channel][band]`.
  let reachedGains: OwnedRow<Float>

  /// Attack and release of the levels, `[channel][band vector]`.
  let ballistics: OwnedRow<LevelBallistics>
  /// The curves, `[channel][band]`.
  let spans: OwnedRow<CurveSpan>
  /// The segments of the curves, intensity included.
  private(set) var segments: OwnedRow<CurveSegment>
  private var segmentCapacity: Int

  /// Allocates memory for disabled settings with all gains at 0 dB.
  init(shape: ProcessorShape) {
    channels = .filled(ChannelSettings(), count: shape.channelCount)
    headphoneSections = .filled(SectionTargets(), count: HeadphoneTargets.vectorCount)
    let sectionCount = shape.channelCount * shape.vectorsPerChannel
    sections = .filled(SectionTargets(), count: sectionCount)
    let gainCount = shape.channelCount * shape.bandCount
    gains = .filled(0, count: gainCount)
    reachedGains = .filled(0, count: gainCount)
    let ballisticsCount = shape.channelCount * shape.bandVectors
    ballistics = .filled(LevelBallistics(), count: ballisticsCount)
    spans = .filled(CurveSpan(), count: gainCount)
    segmentCapacity = gainCount
    segments = .filled(CurveSegment(level: 0, gain: 0, slope: 0), count: gainCount)
  }

  /// Reserves memory for `count` segments; earlier segments are lost.
  mutating func reserveSegments(_ count: Int) {
    guard count > segmentCapacity else { return }
    segments = .filled(CurveSegment(level: 0, gain: 0, slope: 0), count: count)
    segmentCapacity = count
  }

}

/// One channel's settings other than its sections.
struct ChannelSettings {
  /// Broadband gain as an amplitude ratio.
  var broadband: Float = 1
  /// The broadband gain as a base-2 logarithm.
  var broadbandGain: Float = 0
  /// The greatest magnitude of an output sample.
  var ceiling: Float = .greatestFiniteMagnitude
  /// The greatest magnitude of a valid input sample.
  var rejectionLevel: Float = Self.leastRejectionLevel
  /// Whether every gain is 0 dB, so that the output is the input.
  var isFlat = true
  /// Whether any gain depends on level.
  var isLevelDependent = false

  /// Samples up to this magnitude are always valid.
  static var leastRejectionLevel: Float { 16 }
}
