internal import HearingBuffers

/// Applies the level detectors of two channels to the signal, without changing the signal.
///
/// Both channels are processed together, with up to three vectors per channel. A vector contains
/// four detectors. The CPU can then execute the operations of several vectors in parallel.
enum DetectorBank {
  /// Applies the detectors to `count` samples of both channels. The count must be a multiple of
  /// ``sparseStride``.
  ///
  /// - Parameters:
  ///   - vectors: the number of vectors per channel. A vector has four detectors.
  ///   - energyStride: the distance in samples between two computed energies: 1 or
  ///     ``sparseStride``. The function adds up the computed energies.
  static func run(
    vectors: Int, left: Row<Float>, right: Row<Float>, count: Int,
    energyStride: Int, leftDetectors: Row<DetectorStates>,
    rightDetectors: Row<DetectorStates>
  ) {
    for done in stride(from: 0, to: vectors, by: 3) {
      let (l, r) = (leftDetectors.from(done), rightDetectors.from(done))
      switch vectors - done {
      case 1:
        run(DetectorPair.self, left, right, count, energyStride, l, r)
      case 2:
        run(
          DetectorGroup<DetectorPair, DetectorPair>.self, left, right, count, energyStride, l, r)
      default:
        run(
          DetectorGroup<DetectorPair, DetectorGroup<DetectorPair, DetectorPair>>.self, left, right,
          count, energyStride, l, r)
      }
    }
  }

  /// At sample rates of at least 40 kHz, the detectors compute the energy only at every fourth
  /// sample. See ``RenderTiming/energyStride``.
  static let sparseStride = 4

  @inline(__always)
  private static func run<Stage: DetectorFilter>(
    _ stage: Stage.Type, _ left: Row<Float>, _ right: Row<Float>,
    _ count: Int, _ energyStride: Int, _ l: Row<DetectorStates>,
    _ r: Row<DetectorStates>
  ) {
    guard energyStride > 1 else {
      runAtEverySample(stage, left, right, count, l, r)
      return
    }
    var detectors = Stage(l, r)
    var index = 0
    while index < count {
      detectors.filter(Float4(repeating: left[index]), Float4(repeating: right[index]))
      detectors.filter(Float4(repeating: left[index + 1]), Float4(repeating: right[index + 1]))
      detectors.filter(Float4(repeating: left[index + 2]), Float4(repeating: right[index + 2]))
      detectors.accumulate(Float4(repeating: left[index + 3]), Float4(repeating: right[index + 3]))
      index += sparseStride
    }
    detectors.store(l, r)
  }

  /// Applies the detectors, and adds up the energy at every sample.
  @inline(never)
  private static func runAtEverySample<Stage: DetectorFilter>(
    _ stage: Stage.Type, _ left: Row<Float>, _ right: Row<Float>,
    _ count: Int, _ l: Row<DetectorStates>,
    _ r: Row<DetectorStates>
  ) {
    var detectors = Stage(l, r)
    var index = 0
    while index < count {
      detectors.accumulate(Float4(repeating: left[index]), Float4(repeating: right[index]))
      index += 1
    }
    detectors.store(l, r)
  }
}
