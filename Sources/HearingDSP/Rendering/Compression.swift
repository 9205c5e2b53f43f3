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
    state.pointee.compression.isSettling = true
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

  /// Listens to a run of a channel's input.
  @_noLocks @_noAllocation @inline(__always)
  static func listen(
    _ state: UnsafeMutablePointer<RenderState>, _ channel: Int, _ samples: UnsafePointer<Float>,
    count: Int
  ) {
    let vectors = state.pointee.shape.bandVectors
    let detectors = state.pointee.compression.detectors + channel * vectors
    var vector = 0
    while vector < vectors {
      let depth = min(3, vectors - vector)
      DetectorBank.listen(depth: depth, samples, count: count, detectors + vector)
      vector += depth
    }
  }

  /// At the end of a chunk: lets what cannot be heard go, before it becomes slow.
  @_noLocks @_noAllocation
  static func rest(_ state: UnsafeMutablePointer<RenderState>, _ channel: Int) {
    let vectors = state.pointee.shape.bandVectors
    for index in channel * vectors..<(channel + 1) * vectors {
      state.pointee.compression.detectors[index].flush()
    }
  }

  /// At the end of a sub-block: brings the levels up to date.
  @_noLocks @_noAllocation
  static func measure(_ state: UnsafeMutablePointer<RenderState>) {
    let slot = state.pointee.exchange.front
    let shape = state.pointee.shape
    let compression = state.pointee.compression
    let vectors = shape.bandVectors
    let share = 1 / Float(state.pointee.timing.subBlock)
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
        if compression.isSettling {
          level.pointee.shown = own
          level.pointee.inForce = linked
        } else {
          level.pointee.shown = course.followed(level.pointee.shown, to: own)
          level.pointee.inForce = course.followed(course.held(level.pointee.inForce), to: linked)
        }
      }
    }
  }

  /// At the start of a sub-block: what the curves ask for, and the sections' gains that give it.
  @_noLocks @_noAllocation
  static func aim(_ state: UnsafeMutablePointer<RenderState>) {
    let shape = state.pointee.shape
    let slot = state.pointee.exchange.front
    let anchors = state.pointee.compression.division.anchorCount
    for channel in 0..<shape.channelCount
    where slot.pointee.channels[channel].isLevelDependent { aim(state, slot, channel) }
    let next = state.pointee.compression.turn + 1
    state.pointee.compression.turn = next < anchors ? next : 0
  }

  @_noLocks @_noAllocation @inline(__always)
  private static func aim(
    _ state: UnsafeMutablePointer<RenderState>, _ slot: UnsafeMutablePointer<SettingsSlot>,
    _ channel: Int
  ) {
    let shape = state.pointee.shape
    let compression = state.pointee.compression
    let bands = shape.bandCount
    let gains = compression.gains + channel * bands
    let corrections = compression.corrections + channel * compression.division.anchorCount
    let levels = compression.levels + channel * shape.bandVectors
    let segments = UnsafePointer(slot.pointee.segments)
    let wanted = compression.wanted
    for band in 0..<bands {
      let gain = slot.pointee.spans[channel * bands + band].gain(
        at: levels[band / 4].inForce[band % 4], segments,
        place: &compression.places[channel * bands + band])
      gains[band] = gain
      wanted[band + 1] = gain + corrections[band + 1]
    }
    wanted[0] = gains[0] + corrections[0]
    wanted[bands + 1] = gains[bands - 1] + corrections[bands + 1]
    let aims = compression.aims + channel * shape.vectorsPerChannel
    let broadband = compression.division.divide(UnsafePointer(wanted), to: aims)
    state.pointee.channels[channel].aimedBroadbandGain = broadband
    let turn = compression.turn
    let asked = gains[min(max(turn - 1, 0), bands - 1)]
    let given = compression.division.response(
      at: turn, of: UnsafePointer(aims), broadband: broadband)
    corrections[turn] = max(
      -mostCorrection, min(mostCorrection, corrections[turn] + asked - given))
  }

  /// In dB.
  private static var mostCorrection: Float {
    @_noLocks @_noAllocation @inline(__always) get { 24 }
  }
}
