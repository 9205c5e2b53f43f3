internal import HearingBuffers

/// Filters two channels with cascades of filter sections. The coefficients are constant or change
/// from sample to sample.
///
/// Two channels are processed together, so that the CPU can execute the operations of both channels
/// in parallel. If the number of channels is odd, the last channel is processed together with a
/// silent channel. A loop loads the filter states into local variables, filters the samples, and
/// then stores the states.
///
/// The lanes of a vector process different samples at the same time. While lane 3 filters sample i,
/// lane 2 filters the output of lane 3 for sample i − 1, and so on. Each sample passes through the
/// sections in the same order as in a scalar loop. The results are therefore bit-identical to the
/// results of a scalar loop. The delay between the lanes adds no latency to the output. At the
/// start and at the end of a call, some lanes have no sample. The state of a lane without a sample
/// does not change.
enum Cascade {
  /// The number of vectors of four sections that fit into the CPU registers at the same time.
  static let depth = 3

  /// The number of samples by which lane 0 is behind lane 3.
  private static let skew = 3

  /// The number of samples by which each lane is behind lane 3.
  private static var lags: Float4 { Float4(3, 2, 1, 0) }

  /// Filters `count` samples of both channels in place.
  ///
  /// - Parameters:
  ///   - vectors: the number of vectors of four sections per channel, a multiple of ``depth``. The
  ///     first vector may contain shelves. The other vectors contain only bells.
  ///   - ramp: the shape of the coefficient ramp.
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
    for done in stride(from: depth, to: vectors, by: depth) {
      pass(Bells.self, Bells.self, left + done, right + done, count: count)
    }
  }

  /// Filters `count` samples of both channels through ``depth`` vectors of four sections. The first
  /// vector has the type `First`, and the other vectors have the type `Rest`.
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
          // Lane 0 contains a sample that has passed through all lanes. The loop stores all four
          // lanes, because the compiler would split the vectors if the loop stored only lane 0. The
          // next iterations of the loop overwrite the numbers from the other lanes.
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

  /// The vector lanes that have a sample in the iteration `step` of the loop. Each channel has
  /// `count` samples.
  @inline(__always)
  private static func lanes(atStep step: Int, of count: Int) -> SIMDMask<SIMD4<Int32>> {
    // The comparisons use floating-point numbers, because the compiler generates many branches for
    // integer comparisons.
    (lags .<= Float4(repeating: Float(step))) .& (lags .> Float4(repeating: Float(step &- count)))
  }

  /// The next input of each lane. The input of lane 3 is a new sample. The input of each of the
  /// lanes 0, 1 and 2 is the output of the lane with the next higher index.
  @inline(__always)
  private static func advanced(_ output: Float4, with sample: Float) -> Float4 {
    Float4(output[1], output[2], output[3], sample)
  }
}

/// The samples and the filter sections of one channel of a ``Cascade``.
struct CascadeChannel: BitwiseCopyable {
  let samples: Row<Float>
  let states: Row<SectionStates>
  /// The coefficient ramps of the filter sections, used only while the coefficients are ramped.
  var ramps: Row<SectionRamp>?

  /// Returns the channel without the first `count` vectors of four sections.
  @inline(__always)
  static func + (channel: CascadeChannel, count: Int) -> CascadeChannel {
    CascadeChannel(
      samples: channel.samples, states: channel.states.from(count),
      ramps: channel.ramps.map { $0.from(count) })
  }
}

/// The filter sections of one channel in one pass of a ``Cascade``: three vectors of four sections.
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
