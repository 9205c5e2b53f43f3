/// Gains that depend on level: from the input, heard beside the signal path, to gains of sections.
///
/// At the end of each window the level in every band is known; at the start of the next one each
/// band's curve turns it into a gain, and a constant matrix the gains into those of the sections,
/// which they reach at its end. As the matrix alone is not quite exact, the true gain at the anchors
/// is looked at, and what is missing there is wanted in addition the next time.
enum Compression {
  /// Starts measuring from silence.
  @_noLocks @_noAllocation
  static func begin(_ state: UnsafeMutablePointer<RenderState>) {
    let shape = state.pointee.shape
    let compression = state.pointee.compression
    for index in 0..<shape.channelCount * shape.bandVectors {
      compression.detectors[index].clear()
      compression.levels[index].clear()
    }
    for index in 0..<shape.channelCount * state.pointee.timing.window {
      compression.heard[index] = 0
    }
    state.pointee.compression.settling = state.pointee.timing.settlingWindows
    state.pointee.compression.turn = 0
    for channel in 0..<shape.channelCount {
      state.pointee.channels[channel].holdsLevels = false
      state.pointee.channels[channel].heldWindows = 0
    }
    measure(state)
    adopt(state)
  }

  /// Takes new curves up: the levels stay, the gains are those of the new curves at once.
  @_noLocks @_noAllocation
  static func adopt(_ state: UnsafeMutablePointer<RenderState>) {
    let shape = state.pointee.shape
    let compression = state.pointee.compression
    for index in 0..<shape.channelCount * shape.bandCount { compression.places[index] = 0 }
    for index in 0..<shape.channelCount * compression.division.anchorDozens * 12 {
      compression.corrections[index] = 0
    }
    // What levels were asked for lay within the ends of the curves before.
    let courses = state.pointee.exchange.front.pointee.courses
    for index in 0..<shape.channelCount * shape.bandVectors {
      let asked = compression.askedLevels.float4(at: index &* 4)
      compression.askedLevels.setFloat4(courses[index].held(asked), at: index &* 4)
    }
    // Other curves need other corrections, which are found before anything is heard of them.
    for _ in 0..<roundsForNewCurves { aim(state, correctsAll: true) }
    remember(state)
  }

  /// At the end of a chunk: lets what cannot be heard go, before it becomes slow.
  @_noLocks @_noAllocation
  static func rest(_ state: UnsafeMutablePointer<RenderState>, _ channel: Int) {
    let vectors = state.pointee.shape.bandVectors
    for index in channel * vectors..<(channel + 1) * vectors {
      state.pointee.compression.detectors[index].flush()
    }
  }

  /// At the end of a window: listens to it and brings the levels up to date.
  @_noLocks @_noAllocation
  static func measure(_ state: UnsafeMutablePointer<RenderState>) {
    let slot = state.pointee.exchange.front
    let shape = state.pointee.shape
    let compression = state.pointee.compression
    let vectors = shape.bandVectors
    listen(state)
    let share = Float(state.pointee.timing.energyStride) / Float(state.pointee.timing.window)
    let linking = slot.pointee.channelLinking
    let decibelsPerOctave: Float = 3.010_3
    for channel in 0..<shape.channelCount { hold(state, channel) }
    for index in 0..<shape.channelCount * vectors {
      let octaves = compression.detectors[index].finish(
        share: share, smoothing: compression.smoothing)
      // What is missing while samples are broken is no silence.
      guard state.pointee.channels[index / vectors].heldWindows == 0 else { continue }
      compression.levels[index].measured = octaves * decibelsPerOctave + slot.pointee.fullScale
    }
    for vector in 0..<vectors {
      var loudest = compression.levels[vector].measured
      for channel in 1..<max(1, shape.channelCount) {
        let other = compression.levels[channel * vectors + vector].measured
        loudest = loudest.replacing(with: other, where: other .> loudest)
      }
      for channel in 0..<shape.channelCount {
        let level = compression.levels + channel * vectors + vector
        let course = slot.pointee.courses[channel * vectors + vector]
        let own = level.pointee.measured
        let linked = course.held(own + (loudest - own) * linking)
        if compression.settling > 0 {
          level.pointee.shown = own
          level.pointee.inForce = linked
        } else {
          level.pointee.shown = course.followed(level.pointee.shown, to: own)
          level.pointee.inForce = course.followed(course.held(level.pointee.inForce), to: linked)
        }
        let place = (channel * vectors + vector) * 4
        compression.shownLevels.setFloat4(level.pointee.shown, at: place)
        compression.askedLevels.setFloat4(
          course.ahead(level.pointee.inForce, to: linked), at: place)
      }
    }
    if compression.settling > 0 { state.pointee.compression.settling -= 1 }
    for channel in 0..<shape.channelCount where state.pointee.channels[channel].heldWindows > 0 {
      state.pointee.channels[channel].heldWindows -= 1
    }
  }

  /// Lets the levels of a channel stay as they are for a while if samples were broken in the window
  /// that is over.
  @_noLocks @_noAllocation @inline(__always)
  private static func hold(_ state: UnsafeMutablePointer<RenderState>, _ channel: Int) {
    let own = state.pointee.channels + channel
    guard own.pointee.holdsLevels else { return }
    own.pointee.holdsLevels = false
    own.pointee.heldWindows = state.pointee.timing.recoveryWindows + 1
  }

  /// Listens to the window of every channel's input.
  @_noLocks @_noAllocation @inline(__always)
  private static func listen(_ state: UnsafeMutablePointer<RenderState>) {
    let vectors = state.pointee.shape.bandVectors
    let window = state.pointee.timing.window
    var channel = 0
    while channel < state.pointee.shape.channelCount {
      let left = UnsafePointer(state.pointee.compression.heard + channel * window)
      let detectors = state.pointee.compression.detectors + channel * vectors
      DetectorBank.listen(
        vectors: vectors, left: left, right: left + window, count: window,
        energyStride: state.pointee.timing.energyStride, leftDetectors: detectors,
        rightDetectors: detectors + vectors)
      channel += 2
    }
  }

  /// At the start of a window: what the sections have been aimed at becomes where they start.
  @_noLocks @_noAllocation
  static func remember(_ state: UnsafeMutablePointer<RenderState>) {
    let shape = state.pointee.shape
    let compression = state.pointee.compression
    for index in 0..<shape.channelCount * shape.vectorsPerChannel {
      compression.pastAims[index] = compression.aims[index]
    }
    for channel in 0..<shape.channelCount {
      let own = state.pointee.channels + channel
      own.pointee.pastBroadbandAim = own.pointee.broadbandAim
    }
  }

  /// At the start of a window: what the curves ask for, and the sections' gains that give it.
  ///
  /// Corrections hardly change from one window to the next: once settled, they are looked after in
  /// every other one, in all channels alike, so that equal channels stay equal.
  @_noLocks @_noAllocation
  static func aim(_ state: UnsafeMutablePointer<RenderState>, correctsAll: Bool) {
    let shape = state.pointee.shape
    let slot = state.pointee.exchange.front
    let turn = state.pointee.compression.turn
    for channel in 0..<shape.channelCount
    where slot.pointee.channels[channel].isLevelDependent {
      aim(state, slot, channel)
      if correctsAll || turn & 1 == 0 { correct(state, channel, dozen: turn / 2) }
    }
    let next = turn + (correctsAll ? 2 : 1)
    state.pointee.compression.turn =
      next < 2 * state.pointee.compression.division.anchorDozens ? next : next & 1
  }

  @_noLocks @_noAllocation @inline(__always)
  private static func aim(
    _ state: UnsafeMutablePointer<RenderState>, _ slot: UnsafeMutablePointer<SettingsSlot>,
    _ channel: Int
  ) {
    let shape = state.pointee.shape
    let compression = state.pointee.compression
    let division = compression.division
    ask(compression, slot, channel, shape)
    let wanted = compression.wanted
    let corrections = compression.corrections + channel * division.anchorDozens * 12
    for dozen in 0..<division.anchorDozens {
      let place = dozen &* 12
      wanted.setDozen(
        compression.asked.dozen(at: place) + corrections.dozen(at: place), at: place)
    }
    state.pointee.channels[channel].broadbandAim = division.divide(wanted)
    let aims = compression.aims + channel * shape.vectorsPerChannel
    for vector in 0..<shape.vectorsPerChannel {
      aims[vector] = division.sections.float4(at: vector &* 4)
    }
  }

  /// Looks at twelve anchors of the channel aimed at last, and makes some of what is missing there
  /// wanted in addition from now on.
  @_noLocks @_noAllocation @inline(__always)
  private static func correct(
    _ state: UnsafeMutablePointer<RenderState>, _ channel: Int, dozen: Int
  ) {
    let compression = state.pointee.compression
    let division = compression.division
    division.look()
    let place = dozen &* 12
    let missing =
      compression.asked.dozen(at: place)
      - division.response(
        atDozen: dozen, broadband: state.pointee.channels[channel].broadbandAim)
    let corrections = compression.corrections + channel * division.anchorDozens * 12
    let corrected = corrections.dozen(at: place) + missing * correctionShare
    corrections.setDozen(corrected.held(within: mostCorrection), at: place)
  }

  /// Writes what a channel's curves ask for at the bands and at the anchors.
  @_noLocks @_noAllocation @inline(__always)
  private static func ask(
    _ compression: CompressionState, _ slot: UnsafeMutablePointer<SettingsSlot>, _ channel: Int,
    _ shape: ProcessorShape
  ) {
    let bands = shape.bandCount
    let gains = compression.gains + channel * bands
    let spans = slot.pointee.spans + channel * bands
    let places = compression.places + channel * bands
    let levels = compression.askedLevels + channel * shape.bandVectors * 4
    let segments = UnsafePointer(slot.pointee.segments)
    let asked = compression.asked
    for band in 0..<bands {
      let gain = spans[band].gain(at: levels[band], segments, place: places + band)
      gains[band] = gain
      asked[band + 1] = gain
    }
    asked[0] = gains[0]
    asked[bands + 1] = gains[bands - 1]
  }

  private static var roundsForNewCurves: Int {
    @_noLocks @_noAllocation @inline(__always) get { 9 }
  }

  /// How much of what is missing at an anchor is made good at once.
  private static var correctionShare: Float {
    @_noLocks @_noAllocation @inline(__always) get { 0.5 }
  }

  /// In dB.
  private static var mostCorrection: Float {
    @_noLocks @_noAllocation @inline(__always) get { 24 }
  }
}
