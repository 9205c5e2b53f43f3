internal import HearingDSP
internal import HearingBuffers

/// The adaptive filter of an echo canceller: frame by frame without latency, adapting once per
/// block.
///
/// Blocks are counted from the first frame, and every frame is computed in the same way regardless
/// of where the host's blocks begin, so the result does not depend on the block size.
struct LinearCanceller: ~Copyable {
  private(set) var plan: EchoPlan
  private(set) var residual = ResidualEstimate()
  private(set) var paths = PathComparison()
  var room: RoomFilter
  var shadow: ShadowFilter

  private var history: ReferenceHistory
  private let transform: RealTransform
  private let memory: FloatMemory

  /// The previous and the current block of the reference.
  private let reference: Row<Float>
  /// The current block of the microphone.
  private let microphone: Row<Float>
  /// A silent block, and the error of the room filter in the current block.
  private let error: Row<Float>
  /// The first block of the room's response in reverse order.
  private let head: Row<Float>
  /// Two blocks; the second is the echo of earlier blocks in the current one.
  private let tail: Row<Float>
  /// Scratch: two blocks of samples, and two spectra.
  private let samples: Row<Float>
  private let errorSpectrum: Spectra
  private let echoSpectrum: Spectra

  /// Frames in the current block so far.
  private var filled = 0

  /// The fraction of the echo estimate that is subtracted: at the start and at the end of the
  /// block.
  private(set) var fraction: Float = 1
  private var nextFraction: Float = 1

  /// Sums of squares over the current block.
  private var echoEnergy: Float = 0
  private var outputEnergy: Float = 0

  init(plan: EchoPlan, sampleRate: Double) {
    self.plan = plan
    transform = RealTransform(length: 2 * plan.block)
    history = ReferenceHistory(plan: plan)
    room = RoomFilter(plan: plan, sampleRate: sampleRate)
    shadow = ShadowFilter(plan: plan)
    var memory = FloatMemory(capacity: 10 * plan.block)
    reference = memory.allocate(2 * plan.block)
    microphone = memory.allocate(plan.block)
    error = memory.allocate(2 * plan.block)
    head = memory.allocate(plan.block)
    tail = memory.allocate(2 * plan.block)
    samples = memory.allocate(2 * plan.block)
    self.memory = memory
    errorSpectrum = Spectra(stride: plan.stride, count: 1)
    echoSpectrum = Spectra(stride: plan.stride, count: 1)
  }

  /// Removes the echo from `frameCount` frames in place.
  ///
  /// - Parameter echo: Receives the estimate of the echo, if given.
  mutating func process(
    _ samples: Row<Float>, reference: Row<Float>,
    echo: Row<Float>? = nil, frameCount: Int
  ) {
    var done = 0
    while done < frameCount {
      let count = min(plan.block - filled, frameCount - done)
      run(samples.from(done), reference.from(done), count: count)
      if let echo {
        let (microphone, error) = (microphone.from(filled), error.from(plan.block + filled))
        for index in 0..<count { echo[done + index] = microphone[index] - error[index] }
      }
      done += count
      filled += count
      if filled == plan.block {
        finishBlock()
        filled = 0
      }
    }
  }

  /// Restarts with this number of partitions, at most the number that memory was allocated for.
  mutating func restart(partitions: Int) {
    plan.partitions = partitions
    history.restart(partitions: partitions)
    room.restart(partitions: partitions)
    shadow.restart(partitions: partitions)
    reset()
  }

  /// Resets the filters and the signal history.
  mutating func reset() {
    history.reset()
    room.reset()
    shadow.reset()
    paths = PathComparison()
    residual = ResidualEstimate()
    memory.clear()
    filled = 0
    fraction = 1
    nextFraction = 1
    echoEnergy = 0
    outputEnergy = 0
  }

  /// Valid samples have a magnitude of −200…+60 dBFS; others count as 0.
  private static let minimum: Float = 1e-10
  private static let maximum: Float = 1e3

  /// Processes frames of one block. `tail` already has the echo of earlier blocks; the echo of this
  /// block is added sample by sample.
  private mutating func run(
    _ output: Row<Float>, _ played: Row<Float>, count: Int
  ) {
    let (block, filled) = (plan.block, filled)
    let microphone = microphone.from(filled)
    let newest = reference.from(block + filled)
    SampleOperations.copy(
      played, to: newest, count: count, minimum: Self.minimum, maximum: Self.maximum)
    SampleOperations.copy(
      output, to: microphone, count: count, minimum: Self.minimum, maximum: Self.maximum)
    let (tail, error, head) = (tail.from(block + filled), error.from(block + filled), head)
    let fraction = fraction
    let slope = (nextFraction - fraction) / Float(block)
    var (echoEnergy, outputEnergy) = (echoEnergy, outputEnergy)
    for index in 0..<count {
      let echo = tail[index] + Self.product(head, newest.from(index + 1 - block), block)
      let subtracted = fraction + slope * Float(filled + index + 1)
      let sample = microphone[index] - subtracted * echo
      error[index] = microphone[index] - echo
      output[index] = sample
      echoEnergy += echo * echo
      outputEnergy += sample * sample
    }
    self.echoEnergy = echoEnergy
    self.outputEnergy = outputEnergy
  }

  /// The inner product of `count` numbers, always summed in the same order.
  @inline(__always)
  private static func product(
    _ one: Row<Float>, _ other: Row<Float>, _ count: Int
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

  /// Adapts to the block and prepares the next one.
  private mutating func finishBlock() {
    let block = plan.block
    let playedEnergy = Self.energy(reference.from(block), count: block)
    history.push(reference, energy: playedEnergy, transform: transform)
    let heardEnergy = Self.energy(microphone, count: block)
    let isPlaying = history.meanEnergy > 0
    if isPlaying {
      adapt(heard: heardEnergy, played: playedEnergy)
    } else {
      _ = paths.add(
        microphone: heardEnergy, echo: 0, room: heardEnergy, shadow: heardEnergy, reference: 0,
        plan: plan)
    }
    fraction = nextFraction
    if paths.roomHarms {
      nextFraction = 0
    } else if paths.roomHelps {
      nextFraction = 1
    }
    estimateResidual(heard: heardEnergy, isPlaying: isPlaying)
    if !(outputEnergy + paths.room).isFinite {
      reset()
      return
    }
    prepareTail(isPlaying: isPlaying)
    for index in 0..<block { reference[index] = reference[block + index] }
    echoEnergy = 0
    outputEnergy = 0
  }

  /// Adapts both filters and compares them.
  private mutating func adapt(heard: Float, played: Float) {
    let block = plan.block
    let mean = history.meanEnergy
    if let gain = paths.calibrate(microphone: heard, reference: played, plan: plan) {
      room.raiseUncertainty(gain: 8 * gain)
    }
    // The error of the shadow filter in the block.
    history.convolve(shadow.response, from: 0, to: echoSpectrum)
    transform.inverse(
      real: echoSpectrum.real.row, imaginary: echoSpectrum.imaginary.row, to: samples)
    for index in 0..<block {
      samples[block + index] = microphone[index] - samples[block + index]
      samples[index] = 0
    }
    let decision = paths.add(
      microphone: heard, echo: echoEnergyOfRoom(),
      room: Self.energy(error.from(block), count: block),
      shadow: Self.energy(samples.from(block), count: block), reference: mean, plan: plan)
    // If responses are exchanged or copied, their errors must be exchanged or copied as well.
    var (roomError, shadowError) = (error, samples)
    switch decision {
    case .none: break
    case .exchange:
      room.replace(with: &shadow.response, gain: 2 * paths.room / mean)
      swap(&roomError, &shadowError)
    case .restore:
      room.restore(from: &shadow.response)
      shadow.response.copy(from: room.response)
      roomError = shadowError
    case .copy:
      shadow.response.copy(from: room.response)
      shadowError = roomError
    }
    if !paths.isOnTrial {
      transform.forward(
        shadowError, real: errorSpectrum.real.row, imaginary: errorSpectrum.imaginary.row)
      shadow.adapt(to: history, error: errorSpectrum)
    }
    transform.forward(
      roomError, real: errorSpectrum.real.row, imaginary: errorSpectrum.imaginary.row)
    room.adapt(to: history, error: errorSpectrum, transform: transform, head: head)
  }

  /// The energy of the room filter's echo in the block: the energy that it removes from the
  /// microphone.
  private func echoEnergyOfRoom() -> Float {
    var sum = SIMD4<Float>.zero
    var index = 0
    while index < plan.block {
      let echo = microphone.float4(at: index) - error.float4(at: plan.block + index)
      sum += echo * echo
      index += 4
    }
    return (sum[0] + sum[1]) + (sum[2] + sum[3])
  }

  /// Computes the echo of all earlier blocks in the next block.
  private func prepareTail(isPlaying: Bool) {
    guard isPlaying else {
      for index in 0..<2 * plan.block { tail[index] = 0 }
      return
    }
    history.convolve(room.response, from: 1, to: echoSpectrum)
    transform.inverse(real: echoSpectrum.real.row, imaginary: echoSpectrum.imaginary.row, to: tail)
  }

  /// The mean square of the echo that remains because of the filter's uncertainty.
  var expectedError: Float {
    get {
      // The bins of a spectrum hold half its power, times the length of the transform.
      room.expectedError / Float(plan.block * plan.block)
    }
  }

  private mutating func estimateResidual(heard: Float, isPlaying: Bool) {
    let scale = 1 / Float(plan.block)
    // The bins of a spectrum hold half its power, times the length of the transform.
    let expected = isPlaying ? room.expectedError * scale * scale : 0
    residual.add(
      microphone: heard * scale, output: outputEnergy * scale, echo: echoEnergy * scale,
      expectedError: expected,
      isUnreliable: paths.roomHarms || (isPlaying && !paths.isCalibrated(plan)), plan: plan)
  }

  private static func energy(_ samples: Row<Float>, count: Int) -> Float {
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
