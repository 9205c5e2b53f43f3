internal import HearingBuffers

/// Measures the level in each band, and computes the gains of the equaliser's filter sections.
///
/// The stage measures the signal without changing the signal. At the end of each window (at most 2
/// ms), the stage measures the level in every band. At the start of the next window, the gain curve
/// of each band converts the level to a gain. A constant matrix converts the band gains to section
/// gains. ``EqualizerStage`` and ``BroadbandGainStage`` reach the new gains one window after the
/// measurement.
///
/// With the section gains from the matrix, the filters reach the band gains only approximately.
/// Therefore the stage also computes the filter response at the anchor frequencies. The anchor
/// frequencies are the band centres, one frequency below the first band, and one frequency above
/// the last band. Each anchor frequency has a correction in dB. The correction is added to the
/// target gain at the anchor frequency. At each update of the correction, half of the remaining
/// gain error is added to the correction.
struct CompressorStage: ~Copyable, RenderStage {
  /// Whether any gain depends on the level. If no gain depends on the level, the stage measures
  /// nothing.
  private(set) var isActive = false

  private let shape: ProcessorShape
  private var detector: BandLevelDetector
  private let solver: GainSolver

  /// For each gain curve, the index of the straight segment that was used last, `[channel][band]`.
  private let segments: OwnedRow<Int32>

  /// The gains in dB from the gain curves, `[channel][band]`.
  private let bandGains: OwnedRow<Float>
  /// The gain in dB that the filter sections and the broadband stage together reach at each band
  /// centre, `[channel][band]`. The gains are computed together with ``corrections``.
  private let reachedGains: OwnedRow<Float>
  /// The target gains in dB of one channel at the anchor frequencies, `[anchor]`. The number of
  /// elements is rounded up to a multiple of twelve.
  private let anchorGains: OwnedRow<Float>

  /// The corrections in dB, `[channel][anchor]`. A correction is added to the target gain at one
  /// anchor frequency, so that the filters reach the target gain. The number of elements per
  /// channel is rounded up to a multiple of twelve.
  private let corrections: OwnedRow<Float>
  /// For one channel, the target gain plus the correction in dB at each anchor frequency,
  /// `[anchor]`.
  private let corrected: OwnedRow<Float>

  /// The gains of the filter sections at the end of the current window (at most 2 ms),
  /// `[channel][vector]`. A vector contains four sections.
  private let sectionGains: OwnedRow<Float4>
  /// The gains of the filter sections at the start of the current window (at most 2 ms),
  /// `[channel][vector]`. A vector contains four sections.
  private let pastSectionGains: OwnedRow<Float4>

  /// The logarithms to base 2 of the broadband gains at the end of the current window, `[channel]`.
  private let broadbandGains: OwnedRow<Float>
  /// The logarithms to base 2 of the broadband gains at the start of the current window,
  /// `[channel]`.
  private let pastBroadbandGains: OwnedRow<Float>

  /// Selects the group of twelve anchor frequencies for the next change of the corrections. The
  /// index of the group is `correctionStep` / 2, rounded down. The corrections change in the next
  /// window if `correctionStep` is even or `correctsAll` is true.
  private var correctionStep = 0

  init(shape: ProcessorShape, layout: BandLayout, sampleRate: Double, design: EqualizerDesign) {
    self.shape = shape
    detector = BandLevelDetector(shape: shape, layout: layout, sampleRate: sampleRate)
    solver = GainSolver(design)
    let anchors = solver.anchorVectors * 12
    segments = .filled(0, count: shape.channelCount * shape.bandCount)
    bandGains = .filled(0, count: shape.channelCount * shape.bandCount)
    reachedGains = .filled(0, count: shape.channelCount * shape.bandCount)
    anchorGains = .filled(0, count: anchors)
    corrections = .filled(0, count: shape.channelCount * anchors)
    corrected = .filled(0, count: anchors)
    sectionGains = .filled(.zero, count: shape.channelCount * shape.vectorsPerChannel)
    pastSectionGains = .filled(.zero, count: shape.channelCount * shape.vectorsPerChannel)
    broadbandGains = .filled(0, count: shape.channelCount)
    pastBroadbandGains = .filled(0, count: shape.channelCount)
  }

  mutating func reset() {
    detector.clearBroken()
  }

  mutating func process(_ run: inout RenderRun) {
    if isActive { detector.record(run) }
  }

  /// The target gains of ``EqualizerStage`` and ``BroadbandGainStage``.
  var targets: TargetGains {
    TargetGains(
      sections: sectionGains.row, pastSections: pastSectionGains.row,
      broadband: broadbandGains.row,
      pastBroadband: pastBroadbandGains.row, bands: bandGains.row,
      reached: reachedGains.row)
  }

  /// The levels of a channel in dB SPL for meters, `[band]`.
  func shownLevels(_ channel: Int) -> Row<Float> {
    detector.shownLevels.from(channel * shape.detectorVectors * 4)
  }

  /// Whether the level detectors are still settling after the start of the measurement. Gains do
  /// not follow the levels before the detectors have settled.
  var isSettling: Bool { isActive && detector.settlingWindows > 0 }

  /// Applies the first settings. Before the first settings, there is no signal. Therefore the
  /// detectors need no settling time.
  mutating func begin(_ slot: Row<SettingsSlot>) {
    isActive = false
    adopt(slot)
    detector.settlingWindows = 0
  }

  /// Applies settings with new gain curves. Computes the target gains from the current levels and
  /// the new curves.
  mutating func adopt(_ slot: Row<SettingsSlot>) {
    let wasActive = isActive
    isActive = !slot[0].compressor.channels.isEmpty
    guard isActive else { return }
    if !wasActive {
      correctionStep = 0
      detector.begin(slot)
    }
    for index in 0..<shape.channelCount * shape.bandCount { segments[index] = 0 }
    for index in 0..<shape.channelCount * solver.anchorVectors * 12 { corrections[index] = 0 }
    detector.adopt(slot)
    // Computes the corrections for the new gain curves before the next sample is processed.
    for _ in 0..<Self.roundsForNewCurves { computeTargets(slot, correctsAll: true) }
    storePastTargets()
  }

  /// Computes the target gains for the end of a window (at most 2 ms). Called at the start of the
  /// window.
  mutating func startWindow(_ slot: Row<SettingsSlot>, correctsAll: Bool) {
    storePastTargets()
    computeTargets(slot, correctsAll: correctsAll)
  }

  /// Measures the levels in a window (at most 2 ms). Called at the end of the window.
  mutating func finishWindow(_ slot: Row<SettingsSlot>) {
    detector.finishWindow(slot)
  }

  private mutating func storePastTargets() {
    for index in 0..<shape.channelCount * shape.vectorsPerChannel {
      pastSectionGains[index] = sectionGains[index]
    }
    for channel in 0..<shape.channelCount {
      pastBroadbandGains[channel] = broadbandGains[channel]
    }
  }

  /// Computes the target gains of all channels with level-dependent gains.
  ///
  /// If `correctsAll` is false, corrections are computed only in every second window, because
  /// corrections change slowly. All channels are corrected in the same windows, so that channels
  /// with equal signals and settings have equal gains.
  private mutating func computeTargets(
    _ slot: Row<SettingsSlot>, correctsAll: Bool
  ) {
    for channel in 0..<shape.channelCount where slot[0].compressor.channels.contains(channel) {
      solve(slot, channel)
      if correctsAll || correctionStep & 1 == 0 { correct(channel, group: correctionStep / 2) }
    }
    let next = correctionStep + (correctsAll ? 2 : 1)
    correctionStep = next < 2 * solver.anchorVectors ? next : next & 1
  }

  /// Computes the section gains of a channel from the current levels.
  @inline(__always)
  private func solve(_ slot: Row<SettingsSlot>, _ channel: Int) {
    evaluateCurves(slot, channel)
    let channelCorrections = corrections.from(channel * solver.anchorVectors * 12)
    for group in 0..<solver.anchorVectors {
      let index = group &* 12
      corrected.row.setFloat12(
        anchorGains.row.float12(at: index) + channelCorrections.float12(at: index), at: index)
    }
    broadbandGains[channel] = solver.solve(corrected.row)
    let targets = sectionGains.from(channel * shape.vectorsPerChannel)
    for vector in 0..<shape.vectorsPerChannel {
      targets[vector] = solver.sections.float4(at: vector &* 4)
    }
  }

  /// Adds half of the gain errors at twelve anchor frequencies to the corrections of a channel.
  /// Call `solve` for the same channel immediately before `correct`.
  @inline(__always)
  private func correct(_ channel: Int, group: Int) {
    solver.prepareResponse()
    let first = group &* 12
    let response = solver.response(atGroup: group, broadband: broadbandGains[channel])
    let residual = anchorGains.row.float12(at: first) - response
    // The anchor frequency with the index 0 is below the first band and has no reached gain.
    let reached = reachedGains.from(channel * shape.bandCount)
    for anchor in max(first, 1)..<min(first + 12, shape.bandCount + 1) {
      reached[anchor - 1] = response[anchor - first]
    }
    let channelCorrections = corrections.from(channel * solver.anchorVectors * 12)
    let sum = channelCorrections.float12(at: first) + residual * Self.correctionFraction
    channelCorrections.setFloat12(sum.clamped(to: Self.maximumCorrection), at: first)
  }

  /// Evaluates the gain curves of a channel at the current levels. Writes the gains of the bands
  /// and the target gains at the anchor frequencies.
  private func evaluateCurves(_ slot: Row<SettingsSlot>, _ channel: Int) {
    let bands = shape.bandCount
    let gains = bandGains.from(channel * bands)
    let spans = slot[0].compressor.spans.from(channel * bands)
    let lastSegments = segments.from(channel * bands)
    let levels = detector.curveLevels.from(channel * shape.detectorVectors * 4)
    let maximumOutputs = slot[0].compressor.maximumOutputs.from(channel * bands)
    let all = slot[0].compressor.segments.row
    let edges = detector.edges.row
    // The level of sound below the first band. The gain of the first band also applies to sound
    // below the first band.
    let below = levels[bands]
    for band in 0..<bands {
      let level = levels[band]
      var gain = spans[band].gain(at: level, all, lastSegment: lastSegments.from(band))
      // In most windows, the level is so low that the maximum output has no effect.
      let headroom = maximumOutputs[band] - level
      if gain > headroom - max(edges[band].maximum, edges[band + 1].maximum) {
        let loss = max(
          edges[band].upperLoss(lower: band > 0 ? levels[band - 1] : below, upper: level),
          edges[band + 1].lowerLoss(lower: level, upper: levels[min(band + 1, bands - 1)]))
        gain = min(gain, max(headroom - loss, Self.minimumGain))
      }
      gains[band] = gain
      anchorGains[band + 1] = gain
    }
    let headroom = maximumOutputs[0] - below
    if gains[0] > headroom - edges[0].maximum {
      let loss = edges[0].lowerLoss(lower: below, upper: levels[0])
      gains[0] = min(gains[0], max(headroom - loss, Self.minimumGain))
      anchorGains[1] = gains[0]
    }
    anchorGains[0] = gains[0]
    anchorGains[bands + 1] = gains[bands - 1]
  }

  /// The number of iterations that compute the target gains and the corrections for new gain
  /// curves.
  private static let roundsForNewCurves = 9

  /// The minimum gain in dB of a band. A maximum output never reduces the gain below this limit.
  private static let minimumGain = Float(BandCurve.minimumGain)

  /// The fraction of the gain error that is added to a correction at each update.
  private static let correctionFraction: Float = 0.5

  /// The maximum magnitude of a correction in dB.
  private static let maximumCorrection: Float = 24
}
