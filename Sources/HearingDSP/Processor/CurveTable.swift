/// What curves turn into for the render side: straight pieces, and how levels move.
struct CurveTable {
  private let bandCount: Int
  private let windowsPerSecond: Double
  private var segments: [CurveSegment] = []
  private var spans: [CurveSpan] = []
  private var courses: [LevelCourse] = []

  init(bandCount: Int, sampleRate: Double) {
    self.bandCount = bandCount
    windowsPerSecond = sampleRate / Double(RenderTiming(sampleRate: sampleRate).window)
  }

  /// Takes the curves of `settings` in.
  mutating func compute(_ settings: ProcessorSettings) {
    segments.removeAll(keepingCapacity: true)
    spans.removeAll(keepingCapacity: true)
    courses.removeAll(keepingCapacity: true)
    for curves in settings.curves {
      for (band, curve) in curves.enumerated() {
        if band % 4 == 0 { courses.append(LevelCourse()) }
        add(curve, lane: band % 4, intensity: settings.intensity)
      }
    }
  }

  private mutating func add(_ curve: BandCurve, lane: Int, intensity: Double) {
    let first = segments.count
    let points = Self.points(of: curve)
    for (index, point) in points.enumerated() where index == 0 || index + 1 < points.count {
      var slope = 0.0
      if index + 1 < points.count {
        let next = points[index + 1]
        let width = next.level - point.level
        // Where single precision cannot tell levels apart, a slope becomes a step.
        if width > Self.leastWidth { slope = intensity * (next.gain - point.gain) / width }
      }
      segments.append(
        CurveSegment(
          level: Float(point.level), gain: Float(intensity * point.gain), slope: Float(slope)))
    }
    spans.append(CurveSpan(first: Int32(first), count: Int32(segments.count - first)))
    let isFixed = curve.fixedGain != nil
    let course = courses.count - 1
    courses[course].lowest[lane] = isFixed ? -Self.anyLevel : Float(points[0].level)
    courses[course].highest[lane] =
      isFixed ? Self.anyLevel : Float(points[points.count - 1].level)
    courses[course].attack[lane] = share(of: curve.attackTime, windows: 1)
    courses[course].release[lane] = share(of: curve.releaseTime, windows: 1)
    courses[course].attackLead[lane] = share(of: curve.attackTime, windows: 0.5)
    courses[course].releaseLead[lane] = share(of: curve.releaseTime, windows: 0.5)
  }

  /// The points of `curve` within the levels that single precision handles with ease; the curve
  /// between them is the same.
  private static func points(of curve: BandCurve) -> [BandCurve.Point] {
    let limit = Double(anyLevel)
    if abs(curve.points[0].level) <= limit, abs(curve.points[curve.points.count - 1].level) <= limit
    {
      return curve.points
    }
    let ends = [-limit, limit].map { BandCurve.Point(level: $0, gain: curve.gain(at: $0)) }
    return [ends[0]] + curve.points.filter { abs($0.level) < limit } + [ends[1]]
  }

  /// How much of the way a one-pole with this time constant goes in so many windows.
  private func share(of time: Double, windows: Double) -> Float {
    time > 0 ? Float(1 - Elementary.exponential(-windows / (time * windowsPerSecond))) : 1
  }

  /// Writes everything to a slot.
  func write(to slot: UnsafeMutablePointer<SettingsSlot>) {
    slot.pointee.reserveSegments(segments.count)
    for (index, segment) in segments.enumerated() { slot.pointee.segments[index] = segment }
    for (index, span) in spans.enumerated() { slot.pointee.spans[index] = span }
    for (index, course) in courses.enumerated() { slot.pointee.courses[index] = course }
  }

  /// In dB SPL, far beyond any sound.
  private static let anyLevel: Float = 1_000
  /// In dB.
  private static let leastWidth = 0.001
}
