internal import HearingDSP
internal import HearingBuffers

/// The adaptive filter of an echo canceller. The filter processes sample by sample without latency,
/// and adapts once per block.
///
/// The filter divides the signal into blocks, from the first sample on. The blocks of the filter do
/// not depend on the host's blocks. Therefore the result does not depend on the host's block size.
struct LinearCanceller: ~Copyable {
  private(set) var plan: EchoPlan
  private(set) var paths = PathComparison()
  var room: RoomFilter
  var shadow: ShadowFilter

  private var history: ReferenceHistory
  private let transform: RealTransform

  /// The state of one channel of the reference. The structure is not private, because Swift 6.3
  /// fails to compile tests of this module in debug if it is.
  struct Channel: ~Copyable {
    /// This row contains `padding` zeros, the samples of the current block, and a block of zeros.
    let samples: OwnedRow<Float>
    /// The first partition of the room filter's impulse response for this channel, with the last
    /// sample first.
    let head: OwnedRow<Float>
    /// The power gain from the loudspeakers to the microphone, measured during the first sound of
    /// this channel.
    var gain = LoudspeakerGain()

    /// The samples of the current block, followed by a block of zeros.
    var block: Row<Float> { samples.from(padding) }
  }
  /// The number of zeros before the current block. The function `echoes(of:at:)` requires at least
  /// 10 zeros.
  private static let padding = 12

  /// Two channels: the mean of both loudspeaker signals, and half of their difference.
  private let channels: OwnedRow<Channel>
  /// The samples of the microphone in the current block.
  private let microphone: OwnedRow<Float>
  /// Two blocks of samples. The first block contains zeros. The second block contains the error of
  /// the room filter.
  private let error: OwnedRow<Float>
  /// Two blocks of samples. The second block contains the echo that earlier blocks of the reference
  /// cause in the current block. The first block is not used.
  private let tail: OwnedRow<Float>
  /// Scratch memory: two blocks of samples.
  private let samples: OwnedRow<Float>
  /// Scratch memory: the spectrum of a filter's error in the current block.
  private let errorSpectrum: Spectra
  /// Scratch memory: the spectrum of an echo estimate.
  private let echoSpectrum: Spectra

  /// The number of samples that have been added to the current block.
  private var filled = 0

  /// The fraction of the echo estimate that is subtracted from the microphone signal at the start
  /// of the current block, 0…1.
  private(set) var fraction: Float = 1
  /// The fraction of the echo estimate that is subtracted from the microphone signal at the end of
  /// the current block, 0…1.
  private var nextFraction: Float = 1

  /// The sum of the squared output samples in the current block.
  private var outputEnergy: Float = 0

  init(plan: EchoPlan, sampleRate: Double) {
    self.plan = plan
    transform = RealTransform(length: 2 * plan.block)
    history = ReferenceHistory(plan: plan)
    room = RoomFilter(plan: plan, sampleRate: sampleRate)
    shadow = ShadowFilter(plan: plan)
    channels = OwnedRow(count: 2) { _ in
      Channel(
        samples: .filled(0, count: Self.padding + 2 * plan.block),
        head: .filled(0, count: plan.block))
    }
    microphone = .filled(0, count: plan.block)
    error = .filled(0, count: 2 * plan.block)
    tail = .filled(0, count: 2 * plan.block)
    samples = .filled(0, count: 2 * plan.block)
    errorSpectrum = Spectra(stride: plan.stride, count: 1)
    echoSpectrum = Spectra(stride: plan.stride, count: 1)
  }

  /// Removes the echo from `frameCount` frames in place.
  ///
  /// - Parameters:
  ///   - reference: The playback.
  ///   - echo: The memory for the echo estimate, or nil.
  mutating func process(
    _ samples: Row<Float>, reference: PlaybackRows, echo: Row<Float>? = nil, frameCount: Int
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

  /// The number of partitions of the filters. This number must not exceed the number of partitions
  /// in the plan that was passed to `init`. Reset the canceller after a change of this number.
  var partitions: Int {
    get { plan.partitions }
    set {
      plan.partitions = newValue
      history.partitions = newValue
      room.plan.partitions = newValue
    }
  }

  /// Resets the filters and the signal history.
  mutating func reset() {
    room.reset()
    shadow.reset()
    for channel in 0..<2 {
      channels[channel].gain = LoudspeakerGain()
      channels[channel].head.fill(0)
    }
    (fraction, nextFraction) = (1, 1)
    forgetSignals()
  }

  /// Resets the signal history after a change of the reference's delay. Both the room filter and
  /// the shadow filter continue with the response of the room filter. The measured delay has a
  /// resolution of only 0.25 ms. Therefore the uncertainty of the response is raised.
  mutating func realign() {
    room.raiseUncertainty(relative: 0.25)
    shadow.response.copy(from: room.response, count: 2 * plan.partitions)
    forgetSignals()
  }

  /// Fills the empty signal history with earlier samples of the reference. Without these samples,
  /// the filters could not predict the reverberation of earlier playback. The filters would then
  /// adapt slowly.
  ///
  /// - Parameters:
  ///   - count: The number of samples that are available.
  ///   - sample: Returns the reference sample with the given age, 1…`count`. The sample directly
  ///     before the next sample to process has the age 1.
  mutating func recall(count: Int, _ sample: (_ age: Int) -> SIMD2<Float>) {
    for partition in stride(from: min(count / plan.block, plan.partitions), to: 0, by: -1) {
      for index in 0..<plan.block {
        let sample = sample(partition * plan.block - index)
        (channels[0].block[index], channels[1].block[index]) = (sample[0], sample[1])
      }
      history.push(channels[0].block, difference: channels[1].block, transform: transform)
    }
    predictTail()
  }

  private mutating func forgetSignals() {
    history.reset()
    paths = PathComparison()
    tail.fill(0)
    (filled, outputEnergy) = (0, 0)
  }

  /// Copies samples. Samples that are NaN, infinite, above +60 dBFS or below −200 dBFS become 0.
  static func receive(_ source: Row<Float>, to target: Row<Float>, count: Int) {
    SampleOperations.copy(source, to: target, count: count, minimum: 1e-10, maximum: 1e3)
  }

  /// Processes samples of one block. The row `tail` already contains the echo that earlier blocks
  /// of the reference cause. This function adds the echo that the current block of the reference
  /// causes, sample by sample.
  private mutating func run(_ output: Row<Float>, _ played: PlaybackRows, count: Int) {
    let (block, filled) = (plan.block, filled)
    let microphone = microphone.from(filled)
    Self.receive(output, to: microphone, count: count)
    Self.receive(played.mean, to: channels[0].block.from(filled), count: count)
    Self.receive(played.difference, to: channels[1].block.from(filled), count: count)
    let (tail, error) = (tail.from(block + filled), error.from(block + filled))
    let fraction = fraction
    let slope = (nextFraction - fraction) / Float(block)
    var outputEnergy = outputEnergy
    for start in groupStarts(count) {
      var echoes = echoes(of: 0, at: filled + start)
      if history.isStereo { echoes += self.echoes(of: 1, at: filled + start) }
      for index in start..<min(start + 4, count) {
        let echo = tail[index] + echoes[index - start]
        let subtracted = fraction + slope * Float(filled + index + 1)
        let sample = microphone[index] - subtracted * echo
        error[index] = microphone[index] - echo
        output[index] = sample
        outputEnergy += sample * sample
      }
    }
    self.outputEnergy = outputEnergy
  }

  /// Returns four samples of an echo, from `position` on. The echo is caused by the current block
  /// of one channel of the reference. Later samples of the reference do not affect the result. The
  /// order of summation is always the same.
  @inline(__always)
  private func echoes(of channel: Int, at position: Int) -> Float4 {
    // The number of coefficients is rounded up to a multiple of eight. The additional coefficients
    // are multiplied by the zeros before the block.
    let count = min((position + 11) / 8 * 8, plan.block)
    let head = channels[channel].head.from(plan.block - count)
    let samples = channels[channel].samples.from(Self.padding + position + 1 - count)
    let zero = SIMD8<Float>.zero
    var (a, b, c, d) = (zero, zero, zero, zero)
    for index in stride(from: 0, to: count, by: 8) {
      let coefficients = head.float8(at: index)
      a += coefficients * samples.float8(at: index)
      b += coefficients * samples.float8(at: index + 1)
      c += coefficients * samples.float8(at: index + 2)
      d += coefficients * samples.float8(at: index + 3)
    }
    func sum(_ eight: SIMD8<Float>) -> Float { (eight.lowHalf + eight.highHalf).sum() }
    return Float4(sum(a), sum(b), sum(c), sum(d))
  }

  /// Adapts the filters to the complete block and prepares the next block.
  private mutating func finishBlock() {
    history.push(channels[0].block, difference: channels[1].block, transform: transform)
    let heardEnergy = microphone.row.energy(count: plan.block)
    // If the microphone signal is digital silence, the microphone is switched off. In this case,
    // the filters do not adapt, and no echo estimate is subtracted.
    let isSilent = heardEnergy <= EchoTuning.digitalSilence * Float(plan.block)
    if history.meanEnergy > 0 && !isSilent {
      adapt(heard: heardEnergy)
    } else {
      _ = paths.add(
        microphone: heardEnergy, echo: 0, room: heardEnergy, shadow: heardEnergy, reference: 0,
        plan: plan)
    }
    fraction = nextFraction
    if paths.roomHarms || isSilent { nextFraction = 0 } else if paths.roomHelps { nextFraction = 1 }
    guard (outputEnergy + paths.room).isFinite else { return reset() }
    predictTail()
    outputEnergy = 0
  }

  /// Computes the part of the echo in the next block that the previous blocks of the reference
  /// cause.
  private func predictTail() {
    guard history.meanEnergy > 0 else { return tail.fill(0) }
    history.convolve(room.response, ahead: 1, to: echoSpectrum)
    transform.inverse(echoSpectrum, to: tail.row)
  }

  /// Adapts the room filter and the shadow filter, and compares their errors.
  private mutating func adapt(heard: Float) {
    let (block, mean) = (plan.block, history.meanEnergy)
    // The initial uncertainty corresponds to eight times the measured gain. If the initial
    // uncertainty were four times the gain, the echo of devices with a delay would be removed too
    // slowly. A filter that has already converged, for example to the echo of soft noise, keeps its
    // uncertainty. The filter cannot adapt to the second channel before the loudspeaker signals
    // differ. Therefore the uncertainty of the second channel is raised even after convergence.
    for channel in 0..<(history.isDifferent ? 2 : 1) {
      if let gain = channels[channel].gain.add(
        microphone: heard, reference: history.newestEnergy, before: paths.microphone, plan: plan),
        channel == 1 || !paths.hasHelped
      {
        room.raiseUncertainty(channel: channel, gain: 8 * gain)
      }
    }
    // Computes the echo estimate of the room filter for the block.
    for index in 0..<block { samples[index] = microphone[index] - error[block + index] }
    let echo = samples.row.energy(count: block)
    // Computes the error of the shadow filter for the block.
    history.convolve(shadow.response, ahead: 0, to: echoSpectrum)
    transform.inverse(echoSpectrum, to: samples.row)
    for index in 0..<block {
      samples[block + index] = microphone[index] - samples[block + index]
      samples[index] = 0
    }
    let decision = paths.add(
      microphone: heard, echo: echo, room: error.from(block).energy(count: block),
      shadow: samples.from(block).energy(count: block), reference: mean, plan: plan)
    // If the responses of the two filters are exchanged or copied, the errors of the filters must
    // also be exchanged or copied.
    var (roomError, shadowError) = (error.row, samples.row)
    switch decision {
    case .none: break
    case .exchange:
      room.replace(
        with: &shadow.response, gain: 2 * paths.room / mean, partitions: history.partitionCount)
      swap(&roomError, &shadowError)
    case .restore:
      room.restore(from: &shadow.response)
      shadow.response.copy(from: room.response, count: history.partitionCount)
      roomError = shadowError
    case .copy:
      shadow.response.copy(from: room.response, count: history.partitionCount)
      shadowError = roomError
    }
    if !paths.isOnTrial {
      transform.forward(shadowError, to: errorSpectrum)
      shadow.adapt(to: history, error: errorSpectrum)
    }
    transform.forward(roomError, to: errorSpectrum)
    room.adapt(
      to: history, error: errorSpectrum, transform: transform,
      heads: (channels[0].head.row, channels[1].head.row))
  }
}
