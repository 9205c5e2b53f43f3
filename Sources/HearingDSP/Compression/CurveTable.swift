internal import HearingBuffers

/// Computes ``CompressorStage/Settings`` from ``ProcessorSettings``. Never runs on the audio
/// thread.
struct CurveTable {
  private let windowsPerSecond: Double
  /// The channels in which at least one gain depends on the level.
  private(set) var channels = ChannelSet()
  private var channelLinking: Float = 0
  private var fullScale: Float = 100
  private var segments: [CurveSegment] = []
  private var spans: [CurveSpan] = []
  private var maximumOutputs: [Float] = []
  private var ballistics: [LevelBallistics] = []

  init(sampleRate: Double) {
    windowsPerSecond = sampleRate / Double(RenderTiming(sampleRate: sampleRate).window)
  }

  /// Computes the segments, the attack and release, and the level ranges of the gain curves in
  /// `settings`.
  mutating func compute(_ settings: ProcessorSettings) {
    channels = ChannelSet()
    for (channel, curves) in settings.curves.enumerated()
    where curves.contains(where: { $0.fixedGain(intensity: settings.intensity) == nil }) {
      channels.insert(channel)
    }
    channelLinking = Float(settings.channelLinking)
    fullScale = Float(settings.calibration.fullScaleSPL)
    guard !channels.isEmpty else { return }
    (segments, spans, maximumOutputs, ballistics) = ([], [], [], [])
    for curves in settings.curves {
      let first = ballistics.count
      for (band, curve) in curves.enumerated() {
        if band % 4 == 0 { ballistics.append(LevelBallistics()) }
        add(curve, lane: band % 4, intensity: settings.intensity)
      }
      // The detector for sound below the first band has the attack, release and level range of the
      // first band.
      let lane = curves.count % 4
      if lane == 0 { ballistics.append(LevelBallistics()) }
      ballistics[ballistics.count - 1].set(lane: lane, toFirstOf: ballistics[first])
    }
  }

  private mutating func add(_ curve: BandCurve, lane: Int, intensity: Double) {
    let first = segments.count
    let points = Self.points(of: curve, intensity: intensity)
    for (index, point) in points.enumerated() where index == 0 || index + 1 < points.count {
      var slope = 0.0
      if index + 1 < points.count {
        let next = points[index + 1]
        let width = next.level - point.level
        // In single precision, two very close levels may be equal. Therefore a segment with a width
        // of `minimumWidth` or less has the slope 0. At the end of such a segment, the curve has a
        // step.
        if width > Self.minimumWidth { slope = (next.gain - point.gain) / width }
      }
      segments.append(
        CurveSegment(
          level: Float(point.level), gain: Float(point.gain), slope: Float(slope)))
    }
    spans.append(CurveSpan(first: Int32(first), count: Int32(segments.count - first)))
    maximumOutputs.append(curve.maximumOutput.map { Float($0) } ?? .infinity)
    let isFixed = curve.fixedGain(intensity: intensity) != nil
    let vector = ballistics.count - 1
    ballistics[vector].minimumLevel[lane] = isFixed ? -Self.anyLevel : Float(points[0].level)
    ballistics[vector].maximumLevel[lane] =
      isFixed ? Self.anyLevel : Float(points[points.count - 1].level)
    ballistics[vector].attack[lane] = fraction(of: curve.attackTime, windows: 1)
    ballistics[vector].release[lane] = fraction(of: curve.releaseTime, windows: 1)
    ballistics[vector].attackLead[lane] = fraction(of: curve.attackTime, windows: 0.5)
    ballistics[vector].releaseLead[lane] = fraction(of: curve.releaseTime, windows: 0.5)
  }

  /// The points of `curve`, with levels limited to ±`anyLevel`. The points are stored in single
  /// precision, which is not exact enough for very high levels. Between −`anyLevel` and `anyLevel`,
  /// the limited curve equals `curve`.
  private static func points(of curve: BandCurve, intensity: Double) -> [BandCurve.Point] {
    let limit = Double(anyLevel)
    let points = curve.points(intensity: intensity)
    guard abs(points[0].level) > limit || abs(points[points.count - 1].level) > limit else {
      return points
    }
    let ends = [-limit, limit].map {
      BandCurve.Point(level: $0, gain: intensity * curve.lineGain(at: $0))
    }
    return [ends[0]] + points.filter { abs($0.level) < limit } + [ends[1]]
  }

  /// The fraction of a level change that a one-pole filter completes within `windows` windows. The
  /// time constant of the filter in seconds is `time`.
  private func fraction(of time: Double, windows: Double) -> Float {
    time > 0 ? Float(1 - CMath.exponential(-windows / (time * windowsPerSecond))) : 1
  }

  func write(to slot: inout CompressorStage.Settings) {
    slot.channels = channels
    slot.channelLinking = channelLinking
    slot.fullScale = fullScale
    guard !channels.isEmpty else { return }
    slot.reserveSegments(segments.count)
    for (index, segment) in segments.enumerated() { slot.segments[index] = segment }
    for (index, span) in spans.enumerated() { slot.spans[index] = span }
    for (index, output) in maximumOutputs.enumerated() { slot.maximumOutputs[index] = output }
    for (index, vector) in ballistics.enumerated() { slot.ballistics[index] = vector }
  }

  /// A number of dB SPL far above the level of any sound.
  private static let anyLevel: Float = 1_000
  /// The minimum level difference in dB for a straight line between two neighbouring points. If the
  /// difference is smaller, the curve has a step between the points.
  private static let minimumWidth = 0.001
}
