internal import HearingBuffers

/// Filters the sound of two channels through their sections, static or ramped.
///
/// Two channels are processed together, so that the CPU can overlap their operations. An unpaired
/// channel is processed with a silent one. The state stays in local variables during a run.
///
/// The cascade is skewed across the lanes: while lane 3 filters sample i with its sections, lane 2
/// filters the output of lane 3 for sample i − 1, and so on. Each sample passes through the
/// sections in the same order as in a plain loop, and the results are bit-identical to those of the
/// loop. It adds no latency: at the start and at the end of a run, lanes without a sample keep
/// their state.
enum Cascade {
  /// The number of vectors of sections that fit into the registers at once.
  static let depth = 3

  /// The number of steps by which lane 0 is behind lane 3.
  private static let skew = 3

  /// For each lane, the steps by which it is behind lane 3.
  private static var lags: Float4 { Float4(3, 2, 1, 0) }

  /// Filters `count` samples of both channels in place.
  ///
  /// - Parameters:
  ///   - vectors: vectors of sections per channel, a multiple of ``depth``; the first may hold
  ///     shelves, the others only bells.
  ///   - ramp: how coefficients change with every sample.
  static func run(
    vectors: Int, ramp: RampShape, _ left: CascadeChannel, _ right: CascadeChannel, count: Int
  ) {
    switch ramp {
    case .none: run(StaticSections.self, StaticBells.self, vectors, left, right, count)
    case .straight:
      run(
        RampedSections<StraightRamp>.self, RampedBells<StraightRamp>.self, vectors, left, right,
        count)
    case .curved:
      run(
        RampedSections<CurvedRamp>.self, RampedBells<CurvedRamp>.self, vectors, left, right, count)
    }
  }

  @inline(__always)
  private static func run<Sections: SectionVector, Bells: SectionVector>(
    _ sections: Sections.Type, _ bells: Bells.Type, _ vectors: Int, _ left: CascadeChannel,
    _ right: CascadeChannel, _ count: Int
  ) {
    pass(Sections.self, Bells.self, left, right, count: count)
    var done = depth
    while done < vectors {
      pass(Bells.self, Bells.self, left + done, right + done, count: count)
      done += depth
    }
  }

  /// Filters `count` samples of both channels through ``depth`` vectors: one of `First`, the others
  /// of `Rest`.
  @inline(never)
  static func pass<First: SectionVector, Rest: SectionVector>(
    _ first: First.Type, _ rest: Rest.Type, _ left: CascadeChannel, _ right: CascadeChannel,
    count: Int
  ) {
    var leftSections = SectionGroup<First, Rest>(left)
    var rightSections = SectionGroup<First, Rest>(right)
    defer {
      leftSections.store(left)
      rightSections.store(right)
    }
    let (left, right) = (left.samples, right.samples)
    var (y, z) = (Float4.zero, Float4.zero)
    var step = 0
    while step < count + skew {
      if step == skew {
        while step < count {
          y = leftSections.filter(advanced(y, with: left[step]))
          z = rightSections.filter(advanced(z, with: right[step]))
          // Lane 0 holds a finished sample. Later steps overwrite what the other lanes write;
          // storing a single lane here would make the compiler split the vectors.
          left.setFloat4(y, at: step &- skew)
          right.setFloat4(z, at: step &- skew)
          step += 1
        }
      }
      let mask = lanes(atStep: step, of: count)
      let isInside = step < count
      y = leftSections.filter(advanced(y, with: isInside ? left[step] : 0), where: mask)
      z = rightSections.filter(advanced(z, with: isInside ? right[step] : 0), where: mask)
      if step >= skew {
        left[step &- skew] = y[0]
        right[step &- skew] = z[0]
      }
      step += 1
    }
  }

  /// The lanes that have a sample at `step` of a run of `count` samples.
  @inline(__always)
  private static func lanes(atStep step: Int, of count: Int) -> SIMDMask<SIMD4<Int32>> {
    // In floating point: comparisons of integers become a tree of branches here.
    (lags .<= Float4(repeating: Float(step))) .& (lags .> Float4(repeating: Float(step &- count)))
  }

  /// The next input of the lanes: a new sample for lane 3, and for every other lane the output of
  /// the next higher one.
  @inline(__always)
  private static func advanced(_ output: Float4, with sample: Float) -> Float4 {
    Float4(output[1], output[2], output[3], sample)
  }
}

/// The samples of one channel of a ``Cascade`` and its vectors of sections.
struct CascadeChannel: BitwiseCopyable {
  let samples: Row<Float>
  let states: Row<SectionStates>
  /// The ramps of the sections; needed while coefficients are ramped.
  var ramps: Row<SectionRamp>?

  /// The same samples, and the sections that begin at vector `count`.
  @inline(__always)
  static func + (channel: CascadeChannel, count: Int) -> CascadeChannel {
    CascadeChannel(
      samples: channel.samples, states: channel.states.from(count),
      ramps: channel.ramps.map { $0.from(count) })
  }
}

/// The vectors of one pass of a ``Cascade``.
private struct SectionGroup<First: SectionVector, Rest: SectionVector> {
  private var first: First
  private var second: Rest
  private var third: Rest

  @inline(__always)
  init(_ channel: CascadeChannel) {
    first = First(channel)
    second = Rest(channel + 1)
    third = Rest(channel + 2)
  }

  @inline(__always)
  mutating func filter(_ x: Float4) -> Float4 {
    third.filter(second.filter(first.filter(x)))
  }

  @inline(__always)
  mutating func filter(_ x: Float4, where mask: SIMDMask<SIMD4<Int32>>) -> Float4 {
    third.filter(second.filter(first.filter(x, where: mask), where: mask), where: mask)
  }

  @inline(__always)
  func store(_ channel: CascadeChannel) {
    first.store(channel)
    second.store(channel + 1)
    third.store(channel + 2)
  }
}
