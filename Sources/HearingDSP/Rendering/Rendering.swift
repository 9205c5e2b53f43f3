/// The render side: whole blocks in runs of at most one chunk.
///
/// Everything that could depend on time happens at edges counted from the first frame ever rendered
/// (sub-blocks, chunks) or frame by frame, so no result depends on how the sound is cut into
/// blocks.
enum Rendering {
  /// Processes `frameCount` frames in place; channel c's samples lie at `channels[c]`, `stride`
  /// apart.
  @_noLocks @_noAllocation
  static func render(
    _ state: UnsafeMutablePointer<RenderState>,
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int, stride: Int
  ) {
    guard frameCount > 0 else { return }
    if !state.pointee.hasBegun { Transition.begin(state) }
    var done = 0
    while done < frameCount {
      let offset = state.pointee.position & (state.pointee.subBlock - 1)
      if offset == 0 { Transition.startSubBlock(state) }
      let count = min(runLength(state, offset: offset), frameCount - done)
      run(state, channels, from: done, count: count, stride: stride)
      done += count
      state.pointee.position &+= count
      if state.pointee.position & (state.pointee.subBlock - 1) == 0 {
        Transition.finishSubBlock(state)
      }
      if state.pointee.position & (RenderTiming.chunk - 1) == 0 { finishChunk(state) }
    }
    publishLevels(state)
  }

  /// Processes interleaved frames in place.
  @_noLocks @_noAllocation
  static func renderInterleaved(
    _ state: UnsafeMutablePointer<RenderState>, _ frames: UnsafeMutablePointer<Float>,
    frameCount: Int
  ) {
    let channelCount = state.pointee.shape.channelCount
    for channel in 0..<channelCount { state.pointee.pointers[channel] = frames + channel }
    render(
      state, UnsafePointer(state.pointee.pointers), frameCount: frameCount, stride: channelCount)
  }

  /// Frames until something may change: the next sub-block edge if something moves or has been
  /// published, otherwise the next chunk edge.
  @_noLocks @_noAllocation @inline(__always)
  private static func runLength(
    _ state: UnsafeMutablePointer<RenderState>, offset: Int
  ) -> Int {
    if state.pointee.transitionStep != nil || (offset != 0 && state.pointee.exchange.hasNews) {
      return state.pointee.subBlock - offset
    }
    return RenderTiming.chunk - state.pointee.position & (RenderTiming.chunk - 1)
  }

  @_noLocks @_noAllocation @inline(__always)
  private static func run(
    _ state: UnsafeMutablePointer<RenderState>,
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, from start: Int, count: Int,
    stride: Int
  ) {
    let channelCount = state.pointee.shape.channelCount
    for channel in 0..<channelCount {
      ChannelPass.receive(
        state, channel, channels[channel] + start * stride, count: count, stride: stride)
    }
    filter(state, count: count)
    let fadeStart = state.pointee.fadePosition
    for channel in 0..<channelCount {
      ChannelPass.deliver(
        state, channel, channels[channel] + start * stride, count: count, stride: stride,
        fadeStart: fadeStart)
    }
    let full = state.pointee.timing.fadeFrames
    state.pointee.fadePosition =
      state.pointee.isEnabled ? min(fadeStart + count, full) : max(fadeStart - count, 0)
  }

  /// Runs every channel's cascade over its samples in `wet`.
  @_noLocks @_noAllocation @inline(__always)
  private static func filter(_ state: UnsafeMutablePointer<RenderState>, count: Int) {
    let vectors = state.pointee.shape.vectorsPerChannel
    let isMoving = state.pointee.transitionStep != nil
    var channel = 0
    while channel < state.pointee.shape.channelCount {
      let left = state.pointee.wet + channel * RenderTiming.chunk
      let right = left + RenderTiming.chunk
      let leftSections = state.pointee.sections + channel * vectors
      Cascade.run(
        vectors: vectors, isMoving: isMoving, left: left, right: right, count: count,
        leftSections: leftSections, rightSections: leftSections + vectors)
      channel += 2
    }
  }

  /// Clears what has died away and turns the peak meters.
  @_noLocks @_noAllocation
  private static func finishChunk(_ state: UnsafeMutablePointer<RenderState>) {
    let vectors = state.pointee.shape.vectorsPerChannel
    state.pointee.peakChunk += 1
    let turnsPeaks = state.pointee.peakChunk >= state.pointee.timing.peakChunks
    if turnsPeaks { state.pointee.peakChunk = 0 }
    for channel in 0..<state.pointee.shape.channelCount {
      let channelState = state.pointee.channels + channel
      let sections = state.pointee.sections + channel * vectors
      let isSilent =
        channelState.pointee.chunkInput == 0
        && channelState.pointee.chunkFiltered < inaudible
      for vector in 0..<vectors {
        if isSilent { sections[vector].clear() } else { sections[vector].flush() }
      }
      if state.pointee.isCompressing { Compression.rest(state, channel) }
      channelState.pointee.chunkInput = 0
      channelState.pointee.chunkFiltered = 0
      if turnsPeaks { channelState.pointee.turnPeaks() }
    }
  }

  /// A magnitude (−160 dB) that is below the last bit of 24; what rings on after the sound has
  /// stopped is cut off there.
  private static var inaudible: Float { 1e-8 }

  @_noLocks @_noAllocation @inline(__always)
  private static func publishLevels(_ state: UnsafeMutablePointer<RenderState>) {
    let board = state.pointee.board
    for channel in 0..<state.pointee.shape.channelCount {
      let levels = state.pointee.channels + channel
      board.write(
        .inputPeak, max(levels.pointee.inputPeak, levels.pointee.lastInputPeak), channel: channel)
      board.write(
        .outputPeak, max(levels.pointee.outputPeak, levels.pointee.lastOutputPeak),
        channel: channel)
      board.write(.limiterGain, levels.pointee.limiter.gain, channel: channel)
      board.write(.smallestLimiterGain, levels.pointee.limiter.smallestGain, channel: channel)
      board.writeLimitedFrames(levels.pointee.limiter.limitedFrames, channel: channel)
    }
  }
}
