internal import HearingBuffers

extension CompressorStage {
  /// The stage's part of the settings; a ``CurveTable`` computes it.
  struct Settings: ~Copyable {
    /// The channels with any gain that depends on level.
    var channels = ChannelSet()
    /// How far a channel's levels are moved towards those of the loudest channel, 0…1.
    var channelLinking: Float = 0
    /// The level in dB SPL of RMS 1.0.
    var fullScale: Float = 100
    /// Attack and release of the levels, `[channel][band vector]`.
    let ballistics: OwnedRow<LevelBallistics>
    /// The curves, `[channel][band]`.
    let spans: OwnedRow<CurveSpan>
    /// The maximum outputs of the curves in dB SPL, `[channel][band]`.
    let maximumOutputs: OwnedRow<Float>
    /// The segments of the curves, intensity included.
    private(set) var segments: OwnedRow<CurveSegment>

    init(shape: ProcessorShape) {
      let count = shape.channelCount * shape.bandCount
      ballistics = .filled(LevelBallistics(), count: shape.channelCount * shape.bandVectors)
      spans = .filled(CurveSpan(), count: count)
      maximumOutputs = .filled(0, count: count)
      segments = .filled(CurveSegment(level: 0, gain: 0, slope: 0), count: count)
    }

    /// Reserves memory for `count` segments; earlier segments are lost.
    mutating func reserveSegments(_ count: Int) {
      guard count > segments.count else { return }
      segments = .filled(CurveSegment(level: 0, gain: 0, slope: 0), count: count)
    }
  }
}
