/// Filters pairs of channels through their sections, static or ramped.
///
/// Runs two channels at a time: while one waits for its results the other computes, so the second
/// is almost free. State stays in local variables for the length of a run.
enum Cascade {
  /// Filters `count` samples of both channels in place.
  ///
  /// - Parameters:
  ///   - vectors: vectors of sections per channel; the first may hold shelves, the others only
  ///     bells.
  ///   - isRamped: whether coefficients change with every sample.
  #if DEBUG
    // Without whole-module optimization the compiler cannot check generic code in other files.
    @_semantics("no_performance_analysis")
  #else
    @_noLocks @_noAllocation
  #endif
  static func run(
    vectors: Int, isRamped: Bool, left: UnsafeMutablePointer<Float>,
    right: UnsafeMutablePointer<Float>, count: Int,
    leftSections: UnsafeMutablePointer<SectionStates>,
    rightSections: UnsafeMutablePointer<SectionStates>
  ) {
    if count < CascadeSkew.length {
      FrameCascade.run(
        vectors: vectors, isRamped: isRamped, left: left, right: right, count: count,
        leftSections: leftSections, rightSections: rightSections)
    } else if isRamped {
      run(
        RampedSections.self, RampedBells.self, vectors, left, right, count, leftSections,
        rightSections)
    } else {
      run(
        StaticSections.self, StaticBells.self, vectors, left, right, count, leftSections,
        rightSections)
    }
  }

  /// Runs as many vectors at a time as fit into the registers.
  @inline(__always)
  private static func run<Sections: SectionFilter, Bells: SectionFilter>(
    _ sections: Sections.Type, _ bells: Bells.Type, _ vectors: Int,
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ count: Int,
    _ l: UnsafeMutablePointer<SectionStates>, _ r: UnsafeMutablePointer<SectionStates>
  ) {
    switch vectors {
    case 1:
      run(Sections.self, left, right, count, l, r)
    case 2:
      run(FilterChain<Sections, Bells>.self, left, right, count, l, r)
    default:
      run(FilterChain<Sections, FilterChain<Bells, Bells>>.self, left, right, count, l, r)
    }
    var done = SectionStates.mostAtOnce
    while done < vectors {
      switch vectors - done {
      case 1:
        run(Bells.self, left, right, count, l + done, r + done)
      case 2:
        run(FilterChain<Bells, Bells>.self, left, right, count, l + done, r + done)
      default:
        run(
          FilterChain<Bells, FilterChain<Bells, Bells>>.self, left, right, count, l + done, r + done
        )
      }
      done += SectionStates.mostAtOnce
    }
  }

  /// Filters both channels, skewed across the lanes; `count` is at least the length of the skew.
  @inline(__always)
  private static func run<Stage: SectionFilter>(
    _ stage: Stage.Type, _ left: UnsafeMutablePointer<Float>,
    _ right: UnsafeMutablePointer<Float>, _ count: Int, _ l: UnsafeMutablePointer<SectionStates>,
    _ r: UnsafeMutablePointer<SectionStates>
  ) {
    var leftStage = Stage(l)
    var rightStage = Stage(r)
    var (y, z) = (Float4.zero, Float4.zero)
    var step = 0
    while step < CascadeSkew.length {
      let mask = CascadeSkew.begun(atStep: step)
      y = leftStage.filter(CascadeSkew.advanced(y, with: left[step]), where: mask)
      z = rightStage.filter(CascadeSkew.advanced(z, with: right[step]), where: mask)
      step += 1
    }
    while step < count {
      y = leftStage.filter(CascadeSkew.advanced(y, with: left[step]))
      z = rightStage.filter(CascadeSkew.advanced(z, with: right[step]))
      // Lane 0 holds a finished sample; what the other lanes write is overwritten by later steps.
      // Storing a single lane here would make the compiler split the vectors.
      left.setFloat4(y, at: step &- CascadeSkew.length)
      right.setFloat4(z, at: step &- CascadeSkew.length)
      step += 1
    }
    while step < count + CascadeSkew.length {
      let mask = CascadeSkew.unfinished(atStep: step &- count)
      y = leftStage.filter(CascadeSkew.advanced(y, with: 0), where: mask)
      z = rightStage.filter(CascadeSkew.advanced(z, with: 0), where: mask)
      left[step &- CascadeSkew.length] = y[0]
      right[step &- CascadeSkew.length] = z[0]
      step += 1
    }
    leftStage.store(l)
    rightStage.store(r)
  }
}

/// Which lane is active at which step of a skewed run.
///
/// The cascade is skewed across the lanes: lane 3 filters sample i with its one to three sections,
/// while lane 2 filters what lane 3 made of sample i − 1, and so on. Each sample meets every
/// section in the same order as in a plain loop, and the results are bit-identical to it. It adds
/// no latency: at the start and the end of a run, lanes without a sample keep their state.
enum CascadeSkew {
  /// Steps between the first lane's sample and the last lane's.
  static var length: Int {
    @_noLocks @_noAllocation @inline(__always) get { 3 }
  }

  /// The lanes that are active at `step`, one of a run's first steps.
  @_noLocks @_noAllocation @inline(__always)
  static func begun(atStep step: Int) -> SIMDMask<SIMD4<Int32>> {
    // In floating point: comparisons of integers become a tree of branches here.
    lanes .<= Float4(repeating: Float(step))
  }

  /// The lanes that are still active `step` steps after the run's last sample was read.
  @_noLocks @_noAllocation @inline(__always)
  static func unfinished(atStep step: Int) -> SIMDMask<SIMD4<Int32>> {
    lanes .> Float4(repeating: Float(step))
  }

  /// Steps by which each lane is behind the last one.
  private static var lanes: Float4 {
    @_noLocks @_noAllocation @inline(__always) get { Float4(3, 2, 1, 0) }
  }

  /// The next input of the lanes: a new sample for the last lane, and for every other lane the
  /// output of the next higher one.
  @_noLocks @_noAllocation @inline(__always)
  static func advanced(_ output: Float4, with sample: Float) -> Float4 {
    Float4(output[1], output[2], output[3], sample)
  }
}
