/// The detectors of a pair of channels that hear the input beside the signal path.
///
/// Two channels and three vectors of detectors at a time, because one alone waits for its own
/// results.
enum DetectorBank {
  /// Listens to `count` samples of both channels, a multiple of ``stride``.
  ///
  /// - Parameter vectors: vectors of four detectors a channel.
  @_noLocks @_noAllocation
  static func listen(
    vectors: Int, left: UnsafePointer<Float>, right: UnsafePointer<Float>, count: Int,
    leftDetectors: UnsafeMutablePointer<DetectorLanes>,
    rightDetectors: UnsafeMutablePointer<DetectorLanes>
  ) {
    #if DEBUG
      // Only optimised builds know the stages' types in time to check them.
      _unsafePerformance {
        choose(vectors, left, right, count, leftDetectors, rightDetectors)
      }
    #else
      choose(vectors, left, right, count, leftDetectors, rightDetectors)
    #endif
  }

  @inline(__always)
  private static func choose(
    _ vectors: Int, _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, _ count: Int,
    _ leftDetectors: UnsafeMutablePointer<DetectorLanes>,
    _ rightDetectors: UnsafeMutablePointer<DetectorLanes>
  ) {
    var done = 0
    while done < vectors {
      let (l, r) = (leftDetectors + done, rightDetectors + done)
      switch vectors - done {
      case 1:
        listen(DetectorPair.self, left, right, count, l, r)
      case 2:
        listen(DetectorGroup<DetectorPair, DetectorPair>.self, left, right, count, l, r)
      default:
        listen(
          DetectorGroup<DetectorPair, DetectorGroup<DetectorPair, DetectorPair>>.self, left, right,
          count, l, r)
      }
      done += 3
    }
  }

  /// Energy is added up once in so many samples: it hardly changes from one to the next.
  static var stride: Int {
    @_noLocks @_noAllocation @inline(__always) get { 4 }
  }

  @inline(__always)
  private static func listen<Stage: DetectorStage>(
    _ stage: Stage.Type, _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>,
    _ count: Int, _ l: UnsafeMutablePointer<DetectorLanes>,
    _ r: UnsafeMutablePointer<DetectorLanes>
  ) {
    var detectors = Stage(l, r)
    var index = 0
    while index < count {
      detectors.hear(Lanes(repeating: left[index]), Lanes(repeating: right[index]))
      detectors.hear(Lanes(repeating: left[index + 1]), Lanes(repeating: right[index + 1]))
      detectors.hear(Lanes(repeating: left[index + 2]), Lanes(repeating: right[index + 2]))
      detectors.count(Lanes(repeating: left[index + 3]), Lanes(repeating: right[index + 3]))
      index += stride
    }
    detectors.store(l, r)
  }
}
