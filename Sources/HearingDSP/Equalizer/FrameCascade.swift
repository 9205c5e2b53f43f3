internal import HearingBuffers

/// Filters one or two channels frame by frame.
///
/// Used for runs that are too short to be skewed across the lanes. The results are bit-identical to
/// those of ``Cascade``. Only the outputs of the sections are computed one after another;
/// everything else is computed for four sections at once.
enum FrameCascade {
  /// Filters `count` samples of one or both channels in place, as ``Cascade`` does.
  @inline(never)
  static func run<Width: CascadeWidth>(
    _ width: Width.Type, _ ramp: RampShape, _ vectors: Int, _ channels: CascadeChannels,
    _ count: Int
  ) {
    var done = 0
    while done < vectors {
      let depth = min(SectionStates.vectorsPerPass, vectors - done)
      let rest = channels.advanced(by: done)
      if ramp.isNone {
        run(Width.self, StaticFrame.self, ramp, isFirst: done == 0, depth, rest, count)
      } else {
        run(Width.self, RampedFrame.self, ramp, isFirst: done == 0, depth, rest, count)
      }
      done += SectionStates.vectorsPerPass
    }
  }

  /// Filters samples through one to three vectors.
  @inline(__always)
  private static func run<Width: CascadeWidth, Frame: SectionFrame>(
    _ width: Width.Type, _ frame: Frame.Type, _ ramp: RampShape, isFirst: Bool, _ depth: Int,
    _ channels: CascadeChannels, _ count: Int
  ) {
    let (leftSections, rightSections) = (channels.leftSections, channels.rightSections)
    for index in 0..<count {
      if !ramp.isNone {
        move(leftSections, ramp, depth: depth, areBells: !isFirst)
        if Width.isPair { move(rightSections, ramp, depth: depth, areBells: !isFirst) }
      }
      var left = FrameGroup<Frame>(leftSections.states, depth: depth, areBells: !isFirst)
      var right = FrameGroup<Frame>(rightSections.states, depth: depth, areBells: !isFirst)
      var (y, z) = (channels.left[index], channels.right[index])
      // The last lane filters first, as in a skewed run.
      var lane = CascadeSkew.length
      while lane >= 0 {
        // While one channel waits for its results, the other one computes.
        y = left.front.pass(y, lane: lane)
        if Width.isPair { z = right.front.pass(z, lane: lane) }
        if depth > 1 {
          y = left.middle.pass(y, lane: lane)
          if Width.isPair { z = right.middle.pass(z, lane: lane) }
        }
        if depth > 2 {
          y = left.back.pass(y, lane: lane)
          if Width.isPair { z = right.back.pass(z, lane: lane) }
        }
        lane -= 1
      }
      channels.left[index] = y
      left.store(leftSections.states, depth: depth)
      if Width.isPair {
        channels.right[index] = z
        right.store(rightSections.states, depth: depth)
      }
    }
  }

  /// Advances the coefficients by one sample.
  @inline(__always)
  private static func move(
    _ sections: CascadeSections, _ ramp: RampShape, depth: Int, areBells: Bool
  ) {
    guard let ramps = sections.ramps else { return }
    for vector in 0..<depth {
      ramps[vector].slopes.move(
        &sections.states[vector].now, ramp, areBells: areBells || vector > 0)
    }
  }
}

/// Up to three vectors of sections while one sample passes through them.
private struct FrameGroup<Frame: SectionFrame> {
  var front: Frame
  var middle: Frame
  var back: Frame

  @inline(__always)
  init(_ sections: Row<SectionStates>, depth: Int, areBells: Bool) {
    front = Frame(sections, areBells: areBells)
    middle = Frame(depth > 1 ? sections.from(1) : sections, areBells: true)
    back = Frame(depth > 2 ? sections.from(2) : sections, areBells: true)
  }

  @inline(__always)
  func store(_ sections: Row<SectionStates>, depth: Int) {
    front.store(sections)
    if depth > 1 { middle.store(sections.from(1)) }
    if depth > 2 { back.store(sections.from(2)) }
  }
}

/// Four sections while one sample passes through them; rounds exactly as ``SectionFilter`` does.
private protocol SectionFrame {
  /// - Parameter areBells: whether no section is a shelf.
  init(_ sections: Row<SectionStates>, areBells: Bool)

  /// The output of the section in `lane` for `sample`.
  mutating func pass(_ sample: Float, lane: Int) -> Float

  /// Stores the state after all four sections have filtered a sample.
  func store(_ sections: Row<SectionStates>)
}

/// Four sections with static coefficients.
private struct StaticFrame: SectionFrame {
  private let areBells: Bool
  private let q: Float4
  private let direct: Float4
  private let stored: Float4
  private var input = Float4.zero

  @inline(__always)
  init(_ sections: Row<SectionStates>, areBells: Bool) {
    self.areBells = areBells
    let (s1, s2, now) = (sections[0].s1, sections[0].s2, sections[0].now)
    q = s1 - s2
    direct = 1 + now.e
    stored = areBells ? now.e * q : now.e * q + now.f * s2
  }

  @inline(__always)
  mutating func pass(_ sample: Float, lane: Int) -> Float {
    input[lane] = sample
    return direct[lane] * sample + stored[lane]
  }

  @inline(__always)
  func store(_ sections: Row<SectionStates>) {
    let now = sections[0].now
    let u = q + input
    sections[0].s1 = now.a * u - sections[0].s1
    sections[0].s2 += (areBells ? now.c * now.a : now.b) * u
  }
}

/// Four sections with the coefficients of a ramp.
private struct RampedFrame: SectionFrame {
  private let areBells: Bool
  private let q: Float4
  private let e: Float4
  private let low: Float4
  private var input = Float4.zero

  @inline(__always)
  init(_ sections: Row<SectionStates>, areBells: Bool) {
    self.areBells = areBells
    q = sections[0].s1 - sections[0].s2
    e = sections[0].now.e
    low = sections[0].now.f * sections[0].s2
  }

  @inline(__always)
  mutating func pass(_ sample: Float, lane: Int) -> Float {
    input[lane] = sample
    return (areBells ? sample : sample + low[lane]) + e[lane] * (q[lane] + sample)
  }

  @inline(__always)
  func store(_ sections: Row<SectionStates>) {
    let now = sections[0].now
    let u = q + input
    let v = now.a * u
    sections[0].s1 = v - sections[0].s1
    sections[0].s2 += areBells ? now.c * v : now.b * u
  }
}
