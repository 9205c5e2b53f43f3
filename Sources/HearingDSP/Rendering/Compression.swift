/// Gains that depend on level: from the input, heard beside the signal path, to gains of sections.
///
/// At the end of each sub-block the level in every band is known; at the start of the next one each
/// band's curve turns it into a gain, and a constant matrix the gains into those of the sections,
/// which they reach at its end. As the matrix alone is not quite exact, the true gain at one anchor
/// is looked at per sub-block, in turn, and what is missing there is wanted in addition.
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
    for index in 0..<shape.channelCount * compression.division.anchorCount {
      compression.corrections[index] = 0
    }
    state.pointee.compression.turn = 0
    state.pointee.compression.settling = state.pointee.timing.settlingBlocks
    forgetPlaces(state)
    measure(state)
    aim(state)
  }

  /// Lets every curve be searched anew, after curves have changed.
  @_noLocks @_noAllocation
  static func forgetPlaces(_ state: UnsafeMutablePointer<RenderState>) {
    let shape = state.pointee.shape
    for index in 0..<shape.channelCount * shape.bandCount {
      state.pointee.compression.places[index] = 0
    }
  }

  /// Listens to a run of every channel's input.
  @_noLocks @_noAllocation @inline(__always)
  static func listen(_ state: UnsafeMutablePointer<RenderState>, count: Int, offset: Int) {
    let vectors = state.pointee.shape.bandVectors
    var channel = 0
    while channel < state.pointee.shape.channelCount {
      let left = UnsafePointer(state.pointee.wet + channel * RenderTiming.chunk)
      let detectors = state.pointee.compression.detectors + channel * vectors
      var vector = 0
      while vector < vectors {
        let depth = min(3, vectors - vector)
        DetectorBank.listen(
          depth: depth, left: left, right: left + RenderTiming.chunk, count: count, offset: offset,
          leftDetectors: detectors + vector, rightDetectors: detectors + vectors + vector)
        vector += depth
      }
      channel += 2
    }
  }

  /// At the end of a chunk: lets what cannot be heard go, before it becomes slow.
  @_noLocks @_noAllocation
  static func rest(_ state: UnsafeMutablePointer<RenderState>, _ channel: Int) {
    let vectors = state.pointee.shape.bandVectors
    for index in channel * vectors..<(channel + 1) * vectors {
      state.pointee.compression.detectors[index].state.flush()
    }
  }

  /// At the end of a sub-block: brings the levels up to date.
  @_noLocks @_noAllocation
  static func measure(_ state: UnsafeMutablePointer<RenderState>) {
    let slot = state.pointee.exchange.front
    let shape = state.pointee.shape
    let compression = state.pointee.compression
    let vectors = shape.bandVectors
    let share = 2 / Float(state.pointee.subBlock)
    let linking = slot.pointee.channelLinking
    let decibelsPerOctave: Float = 3.010_3
    for index in 0..<shape.channelCount * vectors {
      let octaves = compression.detectors[index].finish(
        share: share, smoothing: compression.smoothing)
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
        store(level.pointee.shown, compression.shownLevels + place)
        store(level.pointee.inForce, compression.askedLevels + place)
      }
    }
    if compression.settling > 0 { state.pointee.compression.settling -= 1 }
  }

  /// Single numbers are read much faster from memory than from lanes.
  @_noLocks @_noAllocation @inline(__always)
  private static func store(_ lanes: Lanes, _ place: UnsafeMutablePointer<Float>) {
    UnsafeMutableRawPointer(place).storeBytes(of: lanes, as: Lanes.self)
  }

  /// At the start of a sub-block: what the curves ask for, and the sections' gains that give it.
  @_noLocks @_noAllocation
  static func aim(_ state: UnsafeMutablePointer<RenderState>) {
    let shape = state.pointee.shape
    let slot = state.pointee.exchange.front
    let anchors = state.pointee.compression.division.anchorCount
    // New curves may need quite other corrections; they are found before much of them is heard.
    let turns = state.pointee.isSettled ? 1 : turnsWhileMoving
    for channel in 0..<shape.channelCount
    where slot.pointee.channels[channel].isLevelDependent { aim(state, slot, channel, turns) }
    state.pointee.compression.turn = (state.pointee.compression.turn + turns) % anchors
  }

  @_noLocks @_noAllocation @inline(__always)
  private static func aim(
    _ state: UnsafeMutablePointer<RenderState>, _ slot: UnsafeMutablePointer<SettingsSlot>,
    _ channel: Int, _ turns: Int
  ) {
    let shape = state.pointee.shape
    let compression = state.pointee.compression
    let bands = shape.bandCount
    let gains = compression.gains + channel * bands
    let corrections = compression.corrections + channel * compression.division.anchorCount
    let levels = compression.askedLevels + channel * shape.bandVectors * 4
    let segments = UnsafePointer(slot.pointee.segments)
    for band in 0..<bands {
      gains[band] = slot.pointee.spans[channel * bands + band].gain(
        at: levels[band], segments,
        place: &compression.places[channel * bands + band])
    }
    let wanted = compression.wanted
    let anchors = compression.division.anchorCount
    for anchor in 0..<anchors {
      wanted[anchor] = gains[min(max(anchor - 1, 0), bands - 1)] + corrections[anchor]
    }
    let aims = compression.aims + channel * shape.vectorsPerChannel
    var turn = compression.turn
    var broadband = compression.division.divide(UnsafePointer(wanted), to: aims)
    for round in 0..<turns {
      let asked = gains[min(max(turn - 1, 0), bands - 1)]
      let given = compression.division.response(
        at: turn, of: UnsafePointer(aims), broadband: broadband)
      let more = corrections[turn] + (asked - given) * correctionShare
      corrections[turn] = max(-mostCorrection, min(mostCorrection, more))
      if round + 1 < turns {
        wanted[turn] = asked + corrections[turn]
        broadband = compression.division.divide(UnsafePointer(wanted), to: aims)
      }
      turn = turn + 1 < anchors ? turn + 1 : 0
    }
    state.pointee.channels[channel].aimedBroadbandGain = broadband
  }

  /// How many anchors are looked at per sub-block during a transition.
  private static var turnsWhileMoving: Int {
    @_noLocks @_noAllocation @inline(__always) get { 6 }
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
