internal import HearingDSP

/// The render side of a canceller: frames as they come, and what follows at the end of each block.
///
/// Blocks are counted from the first frame ever processed, and every frame is computed in the same
/// way wherever the host's blocks begin, so no result depends on them.
enum EchoRendering {
  /// Takes the echo out of `frameCount` frames in place.
  @_noLocks @_noAllocation
  static func process(
    _ state: UnsafeMutablePointer<EchoState>, _ microphone: UnsafeMutablePointer<Float>,
    reference: UnsafePointer<Float>, frameCount: Int
  ) {
    let block = state.pointee.plan.block
    var done = 0
    while done < frameCount {
      let count = min(block - state.pointee.filled, frameCount - done)
      run(state, microphone + done, reference + done, count: count)
      done += count
      state.pointee.filled += count
      if state.pointee.filled == block {
        finishBlock(state)
        state.pointee.filled = 0
      }
    }
  }

  /// Sound has a magnitude of −200 dB at least and +60 dB at most; the rest is no sound.
  private static var least: Float {
    @_noLocks @_noAllocation @inline(__always) get { 1e-10 }
  }
  private static var most: Float {
    @_noLocks @_noAllocation @inline(__always) get { 1e3 }
  }

  /// Frames of one block: the echo of blocks before is there already, that of this one is added
  /// sample by sample.
  @_noLocks @_noAllocation
  private static func run(
    _ state: UnsafeMutablePointer<EchoState>, _ microphone: UnsafeMutablePointer<Float>,
    _ reference: UnsafePointer<Float>, count: Int
  ) {
    let block = state.pointee.plan.block
    let filled = state.pointee.filled
    let heard = state.pointee.microphone + filled
    let played = state.pointee.reference + block + filled
    SampleGuard.copy(
      reference, to: played, count: count, least: least, most: most)
    SampleGuard.copy(microphone, to: heard, count: count, least: least, most: most)
    let tail = state.pointee.tail + block + filled
    let left = state.pointee.error + block + filled
    let head = state.pointee.head
    let share = state.pointee.share
    let slope = (state.pointee.nextShare - share) / Float(block)
    var (echoEnergy, outputEnergy) = (state.pointee.echoEnergy, state.pointee.outputEnergy)
    for index in 0..<count {
      let echo = tail[index] + product(head, played + (index + 1 - block), block)
      let taken = share + slope * Float(filled + index + 1)
      let output = heard[index] - taken * echo
      left[index] = heard[index] - echo
      microphone[index] = output
      echoEnergy += echo * echo
      outputEnergy += output * output
    }
    state.pointee.echoEnergy = echoEnergy
    state.pointee.outputEnergy = outputEnergy
  }

  /// The inner product of `count` numbers, always summed in the same order.
  @_noLocks @_noAllocation @inline(__always)
  private static func product(
    _ one: UnsafeMutablePointer<Float>, _ other: UnsafeMutablePointer<Float>, _ count: Int
  ) -> Float {
    var (a, b) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
    var (c, d) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
    var index = 0
    while index < count {
      a += one.float4(at: index) * other.float4(at: index)
      b += one.float4(at: index + 4) * other.float4(at: index + 4)
      c += one.float4(at: index + 8) * other.float4(at: index + 8)
      d += one.float4(at: index + 12) * other.float4(at: index + 12)
      index += 16
    }
    let sum = (a + b) + (c + d)
    return (sum[0] + sum[1]) + (sum[2] + sum[3])
  }

  /// Learns from the block and prepares the next one.
  @_noLocks @_noAllocation
  private static func finishBlock(_ state: UnsafeMutablePointer<EchoState>) {
    let plan = state.pointee.plan
    let block = plan.block
    let played = energy(state.pointee.reference + block, count: block)
    state.pointee.history.push(
      state.pointee.reference, energy: played, transform: state.pointee.transform)
    let heard = energy(state.pointee.microphone, count: block)
    let isPlaying = state.pointee.history.meanEnergy > 0
    if isPlaying {
      learn(state, heard: heard, played: played)
    } else {
      _ = state.pointee.paths.take(
        microphone: heard, room: heard, shadow: heard, reference: 0, plan: plan)
    }
    state.pointee.share = state.pointee.nextShare
    if state.pointee.paths.roomHarms {
      state.pointee.nextShare = 0
    } else if state.pointee.paths.roomHelps {
      state.pointee.nextShare = 1
    }
    report(state, heard: heard, isPlaying: isPlaying)
    if !(state.pointee.outputEnergy + state.pointee.paths.room).isFinite {
      state.pointee.clear()
      return
    }
    prepareTail(state, isPlaying: isPlaying)
    for index in 0..<block {
      state.pointee.reference[index] = state.pointee.reference[block + index]
    }
    state.pointee.echoEnergy = 0
    state.pointee.outputEnergy = 0
  }

  /// Lets both filters learn, and compares them.
  @_noLocks @_noAllocation
  private static func learn(
    _ state: UnsafeMutablePointer<EchoState>, heard: Float, played: Float
  ) {
    let plan = state.pointee.plan
    let block = plan.block
    let (transform, samples) = (state.pointee.transform, state.pointee.samples)
    let mean = state.pointee.history.meanEnergy
    let gain = state.pointee.paths.calibrate(
      microphone: heard, reference: played, plan: plan)
    if let gain { state.pointee.room.doubt(gain: 8 * gain) }
    // What the shadow filter leaves of the block.
    state.pointee.history.convolve(
      state.pointee.shadow.response, from: 0, to: state.pointee.echoSpectrum)
    transform.inverse(
      real: state.pointee.echoSpectrum.real, imaginary: state.pointee.echoSpectrum.imaginary,
      to: samples)
    for index in 0..<block {
      samples[block + index] = state.pointee.microphone[index] - samples[block + index]
      samples[index] = 0
    }
    let verdict = state.pointee.paths.take(
      microphone: heard, room: energy(state.pointee.error + block, count: block),
      shadow: energy(samples + block, count: block), reference: mean, plan: plan)
    // What a response leaves goes with it, wherever the verdict puts it.
    var (roomError, shadowError) = (state.pointee.error, samples)
    switch verdict {
    case .none: break
    case .change:
      state.pointee.room.replace(
        with: &state.pointee.shadow.response, gain: 2 * state.pointee.paths.room / mean)
      swap(&roomError, &shadowError)
    case .changeBack:
      state.pointee.room.restore(from: &state.pointee.shadow.response)
      state.pointee.shadow.response.copy(from: state.pointee.room.response)
      roomError = shadowError
    case .copy:
      state.pointee.shadow.response.copy(from: state.pointee.room.response)
      shadowError = roomError
    }
    let spectrum = state.pointee.errorSpectrum
    if !state.pointee.paths.isOnProbation {
      transform.forward(shadowError, real: spectrum.real, imaginary: spectrum.imaginary)
      state.pointee.shadow.adapt(to: state.pointee.history, error: spectrum)
    }
    transform.forward(roomError, real: spectrum.real, imaginary: spectrum.imaginary)
    state.pointee.room.adapt(
      to: state.pointee.history, error: spectrum, transform: transform,
      head: state.pointee.head)
  }

  /// Computes what the blocks that are there will still send into the next one.
  @_noLocks @_noAllocation
  private static func prepareTail(_ state: UnsafeMutablePointer<EchoState>, isPlaying: Bool) {
    guard isPlaying else {
      for index in 0..<2 * state.pointee.plan.block { state.pointee.tail[index] = 0 }
      return
    }
    state.pointee.history.convolve(
      state.pointee.room.response, from: 1, to: state.pointee.echoSpectrum)
    state.pointee.transform.inverse(
      real: state.pointee.echoSpectrum.real, imaginary: state.pointee.echoSpectrum.imaginary,
      to: state.pointee.tail)
  }

  @_noLocks @_noAllocation
  private static func report(
    _ state: UnsafeMutablePointer<EchoState>, heard: Float, isPlaying: Bool
  ) {
    let plan = state.pointee.plan
    let scale = 1 / Float(plan.block)
    // A spectrum's bins hold half its power, and its length times too much of it.
    let expected = isPlaying ? state.pointee.room.expectedError * scale * scale : 0
    state.pointee.residual.take(
      microphone: heard * scale, output: state.pointee.outputEnergy * scale,
      echo: state.pointee.echoEnergy * scale, expectedError: expected,
      knowsNothing: state.pointee.paths.roomHarms
        || (isPlaying && !state.pointee.paths.isCalibrated(plan)),
      plan: plan)
  }

  @_noLocks @_noAllocation
  private static func energy(_ samples: UnsafeMutablePointer<Float>, count: Int) -> Float {
    var sum = SIMD4<Float>.zero
    var index = 0
    while index < count {
      let four = samples.float4(at: index)
      sum += four * four
      index += 4
    }
    return (sum[0] + sum[1]) + (sum[2] + sum[3])
  }
}
