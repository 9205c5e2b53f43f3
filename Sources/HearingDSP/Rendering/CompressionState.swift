/// What rendering keeps for gains that depend on level.
///
/// A value of pointers and counters; whoever creates it calls `deallocate()`.
struct CompressionState {
  let division: GainDivision

  /// `[channel][band vector]`.
  let detectors: UnsafeMutablePointer<DetectorLanes>
  let levels: UnsafeMutablePointer<LevelLanes>

  /// The levels shown to meters, and those that curves are asked for, `[channel][band]`, bands
  /// rounded up to vectors.
  let shownLevels: UnsafeMutablePointer<Float>
  let askedLevels: UnsafeMutablePointer<Float>

  /// The segment of each curve that served last, `[channel][band]`.
  let places: UnsafeMutablePointer<Int32>
  /// What the curves say, in dB, `[channel][band]`.
  let gains: UnsafeMutablePointer<Float>

  /// What is wanted of the sections beyond what the curves say, in dB, so that they reach it,
  /// `[channel][anchor]`.
  let corrections: UnsafeMutablePointer<Float>
  /// The sum of both, `[anchor]`.
  let wanted: UnsafeMutablePointer<Float>
  /// The gains of the sections that come of it, `[channel][vector]`.
  let aims: UnsafeMutablePointer<Lanes>

  /// How far the smoothed power follows in a sub-block.
  let smoothing: Float

  /// The anchor whose turn it is to be corrected.
  var turn = 0
  /// Sub-blocks for which levels, which have just begun to be measured, are followed at once.
  var settling = 0

  private let detectorCount: Int

  init(shape: ProcessorShape, timing: RenderTiming, sampleRate: Double, division: GainDivision) {
    self.division = division
    func memory<Element: BitwiseCopyable>(
      _ value: Element, _ count: Int
    ) -> UnsafeMutablePointer<Element> {
      let pointer = UnsafeMutablePointer<Element>.allocate(capacity: count)
      pointer.initialize(repeating: value, count: count)
      return pointer
    }
    detectorCount = shape.pairedChannelCount * shape.bandVectors
    detectors = memory(DetectorLanes(), detectorCount)
    levels = memory(LevelLanes(), detectorCount)
    shownLevels = memory(0, detectorCount * 4)
    askedLevels = memory(0, detectorCount * 4)
    places = memory(0, shape.channelCount * shape.bandCount)
    gains = memory(0, shape.channelCount * shape.bandCount)
    corrections = memory(0, shape.channelCount * division.anchorCount)
    wanted = memory(0, division.anchorCount)
    aims = memory(.zero, shape.channelCount * shape.vectorsPerChannel)
    smoothing = Float(
      1 - Elementary.exponential(-Double(timing.followingBlock) / (Self.smoothingTime * sampleRate))
    )
  }

  func deallocate() {
    division.deallocate()
    detectors.deallocate()
    levels.deallocate()
    shownLevels.deallocate()
    askedLevels.deallocate()
    places.deallocate()
    gains.deallocate()
    corrections.deallocate()
    wanted.deallocate()
    aims.deallocate()
  }

  /// Time constant of the smoothed power in seconds.
  private static let smoothingTime = 0.001
}
