/// Pairs of channels through sections, whose coefficients rest or move.
///
/// Two channels at a time, because one alone waits for its own results: the second comes almost
/// free. State is held in local variables while the samples pass.
enum Cascade {
  /// Filters `count` samples of both channels in place.
  ///
  /// - Parameters:
  ///   - vectors: vectors of sections a channel; the first holds any kind, the others bells.
  ///   - isMoving: whether coefficients move on with every sample.
  #if DEBUG
    // Without whole modules the compiler does not see into generic code in other files.
    @_semantics("no_performance_analysis")
  #else
    @_noLocks @_noAllocation
  #endif
  static func run(
    vectors: Int, isMoving: Bool, left: UnsafeMutablePointer<Float>,
    right: UnsafeMutablePointer<Float>, count: Int,
    leftSections: UnsafeMutablePointer<LaneSections>,
    rightSections: UnsafeMutablePointer<LaneSections>
  ) {
    if count < LaneSkew.length {
      FrameCascade.run(
        vectors: vectors, isMoving: isMoving, left: left, right: right, count: count,
        leftSections: leftSections, rightSections: rightSections)
    } else if isMoving {
      run(
        MovingSections.self, MovingBells.self, vectors, left, right, count, leftSections,
        rightSections)
    } else {
      run(
        SettledSections.self, SettledBells.self, vectors, left, right, count, leftSections,
        rightSections)
    }
  }

  /// As many vectors at once as fit the registers.
  @inline(__always)
  private static func run<Sections: CascadeStage, Bells: CascadeStage>(
    _ sections: Sections.Type, _ bells: Bells.Type, _ vectors: Int,
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ count: Int,
    _ l: UnsafeMutablePointer<LaneSections>, _ r: UnsafeMutablePointer<LaneSections>
  ) {
    switch vectors {
    case 1:
      run(Sections.self, left, right, count, l, r)
    case 2:
      run(StageChain<Sections, Bells>.self, left, right, count, l, r)
    default:
      run(StageChain<Sections, StageChain<Bells, Bells>>.self, left, right, count, l, r)
    }
    var done = LaneSections.mostAtOnce
    while done < vectors {
      switch vectors - done {
      case 1:
        run(Bells.self, left, right, count, l + done, r + done)
      case 2:
        run(StageChain<Bells, Bells>.self, left, right, count, l + done, r + done)
      default:
        run(
          StageChain<Bells, StageChain<Bells, Bells>>.self, left, right, count, l + done, r + done)
      }
      done += LaneSections.mostAtOnce
    }
  }

  /// The samples through the stages of both channels, skewed across the lanes; there are as many
  /// samples as lanes run behind, or more.
  @inline(__always)
  private static func run<Stage: CascadeStage>(
    _ stage: Stage.Type, _ left: UnsafeMutablePointer<Float>,
    _ right: UnsafeMutablePointer<Float>, _ count: Int, _ l: UnsafeMutablePointer<LaneSections>,
    _ r: UnsafeMutablePointer<LaneSections>
  ) {
    var leftStage = Stage(l)
    var rightStage = Stage(r)
    var (y, z) = (Float4.zero, Float4.zero)
    var step = 0
    while step < LaneSkew.length {
      let mask = LaneSkew.begun(atStep: step)
      y = leftStage.filter(LaneSkew.advanced(y, with: left[step]), where: mask)
      z = rightStage.filter(LaneSkew.advanced(z, with: right[step]), where: mask)
      step += 1
    }
    while step < count {
      y = leftStage.filter(LaneSkew.advanced(y, with: left[step]))
      z = rightStage.filter(LaneSkew.advanced(z, with: right[step]))
      // The first lane has a sample done. The others fall on places whose input has been taken and
      // whose output is still to come; reading a lane here would tear the vectors apart.
      left.setFloat4(y, at: step &- LaneSkew.length)
      right.setFloat4(z, at: step &- LaneSkew.length)
      step += 1
    }
    while step < count + LaneSkew.length {
      let mask = LaneSkew.unfinished(atStep: step &- count)
      y = leftStage.filter(LaneSkew.advanced(y, with: 0), where: mask)
      z = rightStage.filter(LaneSkew.advanced(z, with: 0), where: mask)
      left[step &- LaneSkew.length] = y[0]
      right[step &- LaneSkew.length] = z[0]
      step += 1
    }
    leftStage.store(l)
    rightStage.store(r)
  }
}
