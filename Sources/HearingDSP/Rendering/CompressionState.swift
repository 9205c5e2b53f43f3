/// What rendering keeps for gains that depend on level.
///
/// A value of pointers and counters; whoever creates it calls `deallocate()`.
struct CompressionState {
  let division: GainDivision

  /// Input since the last edge of a window, `[channel][window]`, with a silent last channel if their
  /// number is odd.
  let heard: UnsafeMutablePointer<Float>

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
  /// The same at the anchors, rounded up to dozens.
  let asked: UnsafeMutablePointer<Float>

  /// What is wanted of the sections beyond what the curves say, in dB, so that they reach it,
  /// `[channel][anchor]`, anchors rounded up to dozens.
  let corrections: UnsafeMutablePointer<Float>
  /// The sum of both.
  let wanted: UnsafeMutablePointer<Float>
  /// The gains of the sections that come of it at the end of the window, and those at its start,
  /// `[channel][vector]`.
  let aims: UnsafeMutablePointer<Float4>
  let pastAims: UnsafeMutablePointer<Float4>

  /// How far the smoothed power follows in a window.
  let smoothing: Float

  /// Twice the dozen of anchors whose turn it is to be corrected, plus 1 in a window that corrects
  /// nothing.
  var turn = 0
  /// Windows for which levels, which have just begun to be measured, are followed at once.
  var settling = 0

  init(shape: ProcessorShape, timing: RenderTiming, sampleRate: Double, division: GainDivision) {
    self.division = division
    let detectorCount = shape.pairedChannelCount * shape.bandVectors
    heard = .filled(0, count: shape.pairedChannelCount * timing.window)
    detectors = .filled(DetectorLanes(), count: detectorCount)
    levels = .filled(LevelLanes(), count: detectorCount)
    shownLevels = .filled(0, count: detectorCount * 4)
    askedLevels = .filled(0, count: detectorCount * 4)
    places = .filled(0, count: shape.channelCount * shape.bandCount)
    gains = .filled(0, count: shape.channelCount * shape.bandCount)
    asked = .filled(0, count: division.anchorDozens * 12)
    corrections = .filled(0, count: shape.channelCount * division.anchorDozens * 12)
    wanted = .filled(0, count: division.anchorDozens * 12)
    aims = .filled(.zero, count: shape.channelCount * shape.vectorsPerChannel)
    pastAims = .filled(.zero, count: shape.channelCount * shape.vectorsPerChannel)
    smoothing = Float(
      1 - Elementary.exponential(-Double(timing.window) / (Self.smoothingTime * sampleRate)))
  }

  func deallocate() {
    division.deallocate()
    heard.deallocate()
    detectors.deallocate()
    levels.deallocate()
    shownLevels.deallocate()
    askedLevels.deallocate()
    places.deallocate()
    gains.deallocate()
    asked.deallocate()
    corrections.deallocate()
    wanted.deallocate()
    aims.deallocate()
    pastAims.deallocate()
  }

  /// Time constant of the smoothed power in seconds.
  private static let smoothingTime = 0.001
}
