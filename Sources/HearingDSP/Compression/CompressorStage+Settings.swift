internal import HearingBuffers

extension CompressorStage {
  /// The settings of the compressor stage. A ``CurveTable`` computes these settings.
  struct Settings: ~Copyable {
    /// The channels in which at least one gain depends on the level.
    var channels = ChannelSet()
    /// The channel linking, 0…1. If the channel linking is 0, the gain of a band follows the level
    /// of this band in the same channel. If the channel linking is 1, the gain of a band follows
    /// the maximum level of this band among all channels.
    var channelLinking: Float = 0
    /// The level in dB SPL of a signal with an RMS value of 1.0.
    var fullScale: Float = 100
    /// The attack, release and level range of the detectors, `[channel][detector vector]`.
    let ballistics: OwnedRow<LevelBallistics>
    /// The gain curves, `[channel][band]`. Each curve is a range of straight ``segments``.
    let spans: OwnedRow<CurveSpan>
    /// The maximum outputs of the curves in dB SPL, `[channel][band]`. For a curve without a
    /// maximum output, the row contains infinity.
    let maximumOutputs: OwnedRow<Float>
    /// The segments of all gain curves. The gains are already multiplied by the intensity.
    private(set) var segments: OwnedRow<CurveSegment>

    init(shape: ProcessorShape) {
      let count = shape.channelCount * shape.bandCount
      ballistics = .filled(LevelBallistics(), count: shape.channelCount * shape.detectorVectors)
      spans = .filled(CurveSpan(), count: count)
      maximumOutputs = .filled(0, count: count)
      segments = .filled(CurveSegment(level: 0, gain: 0, slope: 0), count: count)
    }

    /// Reserves memory for `count` segments of gain curves. If the memory must grow, the previous
    /// segments are lost.
    mutating func reserveSegments(_ count: Int) {
      guard count > segments.count else { return }
      segments = .filled(CurveSegment(level: 0, gain: 0, slope: 0), count: count)
    }
  }
}
