internal import HearingBuffers

/// Computes the gains of the sections from the levels in the bands.
///
/// It measures the sound and does not change it. At the end of each window, the level in every band
/// is known. At the start of the next window, the curve of each band converts the level to a gain,
/// and a constant matrix converts these gains to section gains. The ramped stages reach the section
/// gains at the end of that window. Because the matrix alone is not exact, the response at the
/// anchors is evaluated, and part of the residual is added to the correction of the next windows.
struct CompressorStage: ~Copyable, RenderStage {
  /// Whether any gain depends on level; otherwise nothing is measured.
  private(set) var isActive = false

  private let shape: ProcessorShape
  private var detector: BandLevelDetector
  private let solver: GainSolver

  /// The segment of each curve used last, `[channel][band]`.
  private let segments: OwnedRow<Int32>

  /// The gains of the curves in dB, `[channel][band]`.
  private let bandGains: OwnedRow<Float>
  /// The gains in dB that the sections reach, `[channel][band]`, as evaluated last.
  private let reachedGains: OwnedRow<Float>
  /// The gains of the curves in dB at the anchors of one channel, padded to groups of twelve.
  private let anchorGains: OwnedRow<Float>

  /// The corrections in dB that are added to the gains of the curves so that the sections reach the
  /// gains of the curves, `[channel][anchor]`, anchors padded to groups of twelve; and the sum of
  /// gains and corrections for one channel.
  private let corrections: OwnedRow<Float>
  private let corrected: OwnedRow<Float>

  /// The gains of the sections at the end of the window and at its start, `[channel][vector]`.
  private let sectionGains: OwnedRow<Float4>
  private let pastSectionGains: OwnedRow<Float4>

  /// The broadband gain at the same times, as a logarithm to base 2, `[channel]`.
  private let broadbandGains: OwnedRow<Float>
  private let pastBroadbandGains: OwnedRow<Float>

  /// Twice the index of the group of anchors that is corrected next, plus 1 in a window without a
  /// correction.
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

  /// The gains that ramped stages move to.
  var targets: TargetGains {
    TargetGains(
      sections: sectionGains.row, pastSections: pastSectionGains.row,
      broadband: broadbandGains.row,
      pastBroadband: pastBroadbandGains.row, bands: bandGains.row,
      reached: reachedGains.row)
  }

  /// A channel's levels for meters in dB SPL, `[band]`.
  func shownLevels(_ channel: Int) -> Row<Float> {
    detector.shownLevels.from(channel * shape.bandVectors * 4)
  }

  /// Whether measuring has just started, so that gains do not follow the levels yet.
  var isSettling: Bool { isActive && detector.settlingWindows > 0 }

  /// Applies the first settings. There is no sound before them, so no settling time is needed.
  mutating func begin(_ slot: Row<SettingsSlot>) {
    isActive = false
    adopt(slot)
    detector.endSettling()
  }

  /// Applies settings with different gains: keeps the levels, and computes target gains from the
  /// new curves.
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
    // New curves need new corrections, which are computed before any sound passes.
    for _ in 0..<Self.roundsForNewCurves { computeTargets(slot, correctsAll: true) }
    storePastTargets()
  }

  /// Called at the start of a window. Computes the target gains for its end.
  mutating func startWindow(_ slot: Row<SettingsSlot>, correctsAll: Bool) {
    storePastTargets()
    computeTargets(slot, correctsAll: correctsAll)
  }

  /// Called at the end of a window. Measures its levels.
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

  /// Corrections hardly change from one window to the next. Once they have settled, they are
  /// computed only in every second window. All channels use the same windows, so that equal
  /// channels stay equal.
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

  /// Solves for the section gains of a channel.
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

  /// Adds part of the residual at twelve anchors to the correction of the channel solved last.
  @inline(__always)
  private func correct(_ channel: Int, group: Int) {
    solver.prepareResponse()
    let first = group &* 12
    let response = solver.response(atGroup: group, broadband: broadbandGains[channel])
    let residual = anchorGains.row.float12(at: first) - response
    // Anchor 0 lies below the first band.
    let reached = reachedGains.from(channel * shape.bandCount)
    for anchor in max(first, 1)..<min(first + 12, shape.bandCount + 1) {
      reached[anchor - 1] = response[anchor - first]
    }
    let channelCorrections = corrections.from(channel * solver.anchorVectors * 12)
    let sum = channelCorrections.float12(at: first) + residual * Self.correctionFraction
    channelCorrections.setFloat12(sum.clamped(to: Self.maximumCorrection), at: first)
  }

  /// Evaluates a channel's curves at the levels in force, for the bands and the anchors.
  private func evaluateCurves(_ slot: Row<SettingsSlot>, _ channel: Int) {
    let bands = shape.bandCount
    let gains = bandGains.from(channel * bands)
    let spans = slot[0].compressor.spans.from(channel * bands)
    let lastSegments = segments.from(channel * bands)
    let levels = detector.curveLevels.from(channel * shape.bandVectors * 4)
    let maximumOutputs = slot[0].compressor.maximumOutputs.from(channel * bands)
    let all = slot[0].compressor.segments.row
    let edges = detector.edges.row
    for band in 0..<bands {
      let level = levels[band]
      var gain = spans[band].gain(at: level, all, lastSegment: lastSegments.from(band))
      // In most windows, the sound is too soft for the maximum output to matter.
      let headroom = maximumOutputs[band] - level
      if gain > headroom - max(edges[band].maximum, edges[band + 1].maximum) {
        let loss = max(
          edges[band].upperLoss(lower: levels[max(band - 1, 0)], upper: level),
          edges[band + 1].lowerLoss(lower: level, upper: levels[min(band + 1, bands - 1)]))
        gain = min(gain, max(headroom - loss, Self.minimumGain))
      }
      gains[band] = gain
      anchorGains[band + 1] = gain
    }
    anchorGains[0] = gains[0]
    anchorGains[bands + 1] = gains[bands - 1]
  }

  private static let roundsForNewCurves = 9

  /// In dB; a maximum output never reduces the gain below this value.
  private static let minimumGain = Float(BandCurve.minimumGain)

  /// The fraction of a residual that one correction removes.
  private static let correctionFraction: Float = 0.5

  /// In dB.
  private static let maximumCorrection: Float = 24
}
