internal import HearingBuffers

/// Gain curves prepared for the render side: segments and ballistics.
struct CurveTable {
  private let bandCount: Int
  private let windowsPerSecond: Double
  private var segments: [CurveSegment] = []
  private var spans: [CurveSpan] = []
  private var ballistics: [LevelBallistics] = []

  init(bandCount: Int, sampleRate: Double) {
    self.bandCount = bandCount
    windowsPerSecond = sampleRate / Double(RenderTiming(sampleRate: sampleRate).window)
  }

  /// Prepares the curves of `settings`.
  mutating func compute(_ settings: ProcessorSettings) {
    segments.removeAll(keepingCapacity: true)
    spans.removeAll(keepingCapacity: true)
    ballistics.removeAll(keepingCapacity: true)
    for curves in settings.curves {
      for (band, curve) in curves.enumerated() {
        if band % 4 == 0 { ballistics.append(LevelBallistics()) }
        add(curve, lane: band % 4, intensity: settings.intensity)
      }
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
        // If single precision cannot distinguish two levels, the slope between them becomes a step.
        if width > Self.leastWidth { slope = (next.gain - point.gain) / width }
      }
      segments.append(
        CurveSegment(
          level: Float(point.level), gain: Float(point.gain), slope: Float(slope)))
    }
    spans.append(CurveSpan(first: Int32(first), count: Int32(segments.count - first)))
    let isFixed = curve.fixedGain(intensity: intensity) != nil
    let vector = ballistics.count - 1
    ballistics[vector].lowest[lane] = isFixed ? -Self.anyLevel : Float(points[0].level)
    ballistics[vector].highest[lane] =
      isFixed ? Self.anyLevel : Float(points[points.count - 1].level)
    ballistics[vector].attack[lane] = share(of: curve.attackTime, windows: 1)
    ballistics[vector].release[lane] = share(of: curve.releaseTime, windows: 1)
    ballistics[vector].attackLead[lane] = share(of: curve.attackTime, windows: 0.5)
    ballistics[vector].releaseLead[lane] = share(of: curve.releaseTime, windows: 0.5)
  }

  /// The points of `curve`, limited to ±`anyLevel` for single precision; the curve between these
  /// levels is the same.
  private static func points(of curve: BandCurve, intensity: Double) -> [BandCurve.Point] {
    let limit = Double(anyLevel)
    let points = curve.points(intensity: intensity)
    guard abs(points[0].level) > limit || abs(points[points.count - 1].level) > limit else {
      return points
    }
    let ends = [-limit, limit].map {
      BandCurve.Point(level: $0, gain: curve.gain(at: $0, intensity: intensity))
    }
    return [ends[0]] + points.filter { abs($0.level) < limit } + [ends[1]]
  }

  /// The part of a step that a one-pole with this time constant completes in `windows` windows.
  private func share(of time: Double, windows: Double) -> Float {
    time > 0 ? Float(1 - CMath.exponential(-windows / (time * windowsPerSecond))) : 1
  }

  /// Writes everything to a slot.
  func write(to slot: inout SettingsSlot) {
    slot.reserveSegments(segments.count)
    for (index, segment) in segments.enumerated() { slot.segments[index] = segment }
    for (index, span) in spans.enumerated() { slot.spans[index] = span }
    for (index, vector) in ballistics.enumerated() { slot.ballistics[index] = vector }
  }

  /// In dB SPL, far beyond any sound.
  private static let anyLevel: Float = 1_000
  /// In dB.
  private static let leastWidth = 0.001
}
