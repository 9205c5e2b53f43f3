internal import HearingBuffers

/// Filters one or two channels through their sections, static or ramped.
///
/// Two channels run side by side. While one waits for its results, the other one computes, so the
/// second channel costs almost nothing. The state stays in local variables during a run.
enum Cascade {
  /// Filters `count` samples of one or both channels in place.
  ///
  /// - Parameters:
  ///   - vectors: vectors of sections per channel; the first may hold shelves, the others only
  ///     bells.
  ///   - ramp: how coefficients change with every sample.
  ///   - isPair: whether the right channel is filtered as well.
  static func run(
    vectors: Int, ramp: RampShape, isPair: Bool, left: Row<Float>,
    right: Row<Float>, count: Int,
    leftSections: CascadeSections, rightSections: CascadeSections
  ) {
    let channels = CascadeChannels(
      left: left, right: right, leftSections: leftSections, rightSections: rightSections)
    #if arch(wasm32)
      // Separate loops for one channel would make a web page too large, so it runs as a pair with
      // the silent row beside it.
      run(TwoChannels.self, ramp, vectors, channels, count)
    #else
      if isPair {
        run(TwoChannels.self, ramp, vectors, channels, count)
      } else {
        run(OneChannel.self, ramp, vectors, channels, count)
      }
    #endif
  }

  @inline(__always)
  private static func run<Width: CascadeWidth>(
    _ width: Width.Type, _ ramp: RampShape, _ vectors: Int, _ channels: CascadeChannels,
    _ count: Int
  ) {
    #if arch(wasm32)
      // Loops for other depths would make a web page too large; its layout needs only this depth.
      let isSkewed = count >= CascadeSkew.length && vectors == SectionStates.vectorsPerPass
    #else
      let isSkewed = count >= CascadeSkew.length
    #endif
    guard isSkewed else {
      FrameCascade.run(Width.self, ramp, vectors, channels, count)
      return
    }
    switch ramp {
    case .none:
      run(Width.self, StaticSections.self, StaticBells.self, vectors, channels, count)
    case .straight:
      run(
        Width.self, RampedSections<StraightRamp>.self, RampedBells<StraightRamp>.self, vectors,
        channels, count)
    case .curved:
      run(
        Width.self, RampedSections<CurvedRamp>.self, RampedBells<CurvedRamp>.self, vectors,
        channels, count)
    }
  }

  /// Runs as many vectors at a time as fit into the registers.
  @inline(__always)
  private static func run<Width: CascadeWidth, Sections: SectionFilter, Bells: SectionFilter>(
    _ width: Width.Type, _ sections: Sections.Type, _ bells: Bells.Type, _ vectors: Int,
    _ channels: CascadeChannels,
    _ count: Int
  ) {
    #if arch(wasm32)
      run(Width.self, FilterChain<Sections, Bells>.self, Bells.self, channels, count)
    #else
      typealias TwoBells = FilterChain<Bells, Bells>
      switch vectors {
      case 1: runInStep(Width.self, Sections.self, channels, count)
      case 2: run(Width.self, Sections.self, Bells.self, channels, count)
      default:
        run(Width.self, FilterChain<Sections, Bells>.self, Bells.self, channels, count)
      }
      var done = SectionStates.vectorsPerPass
      while done < vectors {
        let rest = channels.advanced(by: done)
        switch vectors - done {
        case 1: runInStep(Width.self, Bells.self, rest, count)
        case 2: run(Width.self, Bells.self, Bells.self, rest, count)
        default: run(Width.self, TwoBells.self, Bells.self, rest, count)
        }
        done += SectionStates.vectorsPerPass
      }
    #endif
  }

  /// Filters through both parts of a chain in the faster way. Two channels at once leave no
  /// registers for a staggered run.
  @inline(__always)
  private static func run<Width: CascadeWidth, Front: SectionFilter, Back: SectionFilter>(
    _ width: Width.Type, _ front: Front.Type, _ back: Back.Type, _ channels: CascadeChannels,
    _ count: Int
  ) {
    if !Width.isPair && count >= CascadeSkew.leastStaggered {
      runStaggered(Front.self, Back.self, channels.left, count, channels.leftSections)
    } else {
      runInStep(Width.self, FilterChain<Front, Back>.self, channels, count)
    }
  }

  /// Filters `count` samples, at least ``CascadeSkew/length``, skewed across the lanes.
  @inline(__always)
  private static func runInStep<Width: CascadeWidth, Stage: SectionFilter>(
    _ width: Width.Type, _ stage: Stage.Type, _ channels: CascadeChannels, _ count: Int
  ) {
    let (left, right) = (channels.left, channels.right)
    var leftStage = Stage(channels.leftSections)
    var rightStage = Stage(Width.isPair ? channels.rightSections : channels.leftSections)
    var (y, z) = (Float4.zero, Float4.zero)
    var step = 0
    while step < CascadeSkew.length {
      let mask = CascadeSkew.begun(atStep: step, lags: CascadeSkew.lags)
      y = leftStage.filter(CascadeSkew.advanced(y, with: left[step]), where: mask)
      if Width.isPair {
        z = rightStage.filter(CascadeSkew.advanced(z, with: right[step]), where: mask)
      }
      step += 1
    }
    while step < count {
      y = leftStage.filter(CascadeSkew.advanced(y, with: left[step]))
      if Width.isPair { z = rightStage.filter(CascadeSkew.advanced(z, with: right[step])) }
      // Lane 0 holds a finished sample. Later steps overwrite the values that the other lanes
      // write. Storing a single lane here would make the compiler split the vectors.
      left.setFloat4(y, at: step &- CascadeSkew.length)
      if Width.isPair { right.setFloat4(z, at: step &- CascadeSkew.length) }
      step += 1
    }
    while step < count + CascadeSkew.length {
      let mask = CascadeSkew.unfinished(atStep: step &- count, lags: CascadeSkew.lags)
      y = leftStage.filter(CascadeSkew.advanced(y, with: 0), where: mask)
      left[step &- CascadeSkew.length] = y[0]
      if Width.isPair {
        z = rightStage.filter(CascadeSkew.advanced(z, with: 0), where: mask)
        right[step &- CascadeSkew.length] = z[0]
      }
      step += 1
    }
    leftStage.store(channels.leftSections)
    if Width.isPair { rightStage.store(channels.rightSections) }
  }

  /// Filters `count` samples of one channel, at least ``CascadeSkew/staggeredLength``: `Back`
  /// filters the output of `Front` for the previous sample.
  ///
  /// The two parts do not wait for each other. Results are bit-identical to those of
  /// ``runInStep(_:_:_:_:)``.
  @inline(__always)
  private static func runStaggered<Front: SectionFilter, Back: SectionFilter>(
    _ front: Front.Type, _ back: Back.Type, _ samples: Row<Float>, _ count: Int,
    _ sections: CascadeSections
  ) {
    var front = Front(sections)
    var back = Back(sections + Front.depth)
    // The results of both parts.
    var (half, whole) = (Float4.zero, Float4.zero)
    let length = CascadeSkew.staggeredLength
    var step = 0
    while step < length {
      let x = CascadeSkew.advanced(whole, with: samples[step])
      let backMask = CascadeSkew.begun(atStep: step, lags: CascadeSkew.backLags)
      whole = back.filter(half, where: backMask)
      half = front.filter(
        x, where: CascadeSkew.begun(atStep: step, lags: CascadeSkew.frontLags))
      step += 1
    }
    while step < count {
      let x = CascadeSkew.advanced(whole, with: samples[step])
      whole = back.filter(half)
      half = front.filter(x)
      samples.setFloat4(whole, at: step &- length)
      step += 1
    }
    while step < count + length {
      let x = CascadeSkew.advanced(whole, with: 0)
      let backMask = CascadeSkew.unfinished(atStep: step &- count, lags: CascadeSkew.backLags)
      whole = back.filter(half, where: backMask)
      half = front.filter(
        x, where: CascadeSkew.unfinished(atStep: step &- count, lags: CascadeSkew.frontLags))
      samples[step &- length] = whole[0]
      step += 1
    }
    front.store(sections)
    back.store(sections + Front.depth)
  }
}

/// Which lane is active at which step of a skewed run.
///
/// The cascade is skewed across the lanes: while lane 3 filters sample i with its one to three
/// sections, lane 2 filters the output of lane 3 for sample i − 1, and so on. In a staggered run
/// each lane has two parts, and each part filters the output of the part before it for the previous
/// sample. Each sample passes through the sections in the same order as in a plain loop, and the
/// results are bit-identical to those of the loop. It adds no latency: at the start and the end of
/// a run, lanes without a sample keep their state.
enum CascadeSkew {
  /// Steps between the first lane's sample and the last lane's.
  static let length = 3

  /// Steps between the first part's sample and the last part's in a staggered run.
  static let staggeredLength = 7

  /// The smallest number of samples for which staggering saves more time than its extra steps at
  /// the start and the end of a run cost.
  static let leastStaggered = 24

  /// For each lane, the number of steps that it is behind the last one.
  static var lags: Float4 { Float4(3, 2, 1, 0) }

  /// The same for both parts of a staggered run.
  static var frontLags: Float4 { Float4(6, 4, 2, 0) }

  static var backLags: Float4 { Float4(7, 5, 3, 1) }

  /// The lanes that are active at `step`, one of a run's first steps.
  @inline(__always)
  static func begun(atStep step: Int, lags: Float4) -> SIMDMask<SIMD4<Int32>> {
    // In floating point: comparisons of integers become a tree of branches here.
    lags .<= Float4(repeating: Float(step))
  }

  /// The lanes that are still active `step` steps after the run's last sample was read.
  @inline(__always)
  static func unfinished(atStep step: Int, lags: Float4) -> SIMDMask<SIMD4<Int32>> {
    lags .> Float4(repeating: Float(step))
  }

  /// The next input of the lanes: a new sample for the last lane, and for every other lane the
  /// output of the next higher one.
  @inline(__always)
  static func advanced(_ output: Float4, with sample: Float) -> Float4 {
    Float4(output[1], output[2], output[3], sample)
  }
}
