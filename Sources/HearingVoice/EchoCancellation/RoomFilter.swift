internal import HearingDSP
internal import HearingBuffers

/// The estimate of the echo path from loudspeaker to microphone. Each coefficient of the estimate
/// has an uncertainty.
///
/// The filter is a Kalman filter in the frequency domain (Enzner & Vary, Signal Processing 86,
/// 2006; Kuech, Mabande & Enzner, ICASSP 2014). The state of the filter is the partitioned response
/// of the room. The step size of each bin depends on the uncertainty and on the power of the
/// near-end signal. Therefore the filter does not diverge during near-end speech. The filter adapts
/// more slowly in the bins that contain near-end speech, but not in the other bins.
///
/// The reference has two channels (see `ReferenceHistory`). There is one response for each channel.
/// Both responses adapt to the same error, like one filter of twice the length.
struct RoomFilter: ~Copyable {
  /// The responses of the room to the two channels of the reference, one row of bins per partition.
  /// The first response is for the mean of both loudspeaker signals. The second response is for
  /// half of the difference of both loudspeaker signals.
  var response: Spectra
  /// The variance of the error of each coefficient, one row of bins per partition.
  private var uncertainty: OwnedRow<Float>

  /// The values of `uncertainty` before the last call of `replace(with:gain:partitions:)`.
  private var formerUncertainty: OwnedRow<Float>

  /// The expected power of all signals other than the echo, one value per bin.
  private let disturbance: OwnedRow<Float>

  /// The relative power that each partition of the response is assumed to have in an unknown room.
  private let spread: OwnedRow<Float>
  /// The sum of `spread`.
  private var total: Float = 1

  private let scratch: OwnedRow<Float>
  /// The block length, the number of partitions and the constants of the filter. A new plan must
  /// not have more partitions than the plan that was passed to `init`. Reset the filter after a
  /// change of the plan.
  var plan: EchoPlan

  /// The next partition to constrain. Constraining limits a partition's impulse response to the
  /// length of a block.
  private var nextConstrained = 1

  init(plan: EchoPlan, sampleRate: Double) {
    self.plan = plan
    let count = 2 * plan.stride * plan.partitions
    response = Spectra(stride: plan.stride, count: 2 * plan.partitions)
    uncertainty = .filled(0, count: count)
    formerUncertainty = .filled(0, count: count)
    disturbance = .filled(0, count: plan.stride)
    scratch = .filled(0, count: 2 * plan.block)
    spread = .filled(0, count: plan.partitions)
    // The assumed power of the echo path decays along the partitions, with a reverberation time of
    // 0.6 s. If a device has a long delay, a late partition may contain the direct sound. Therefore
    // the total decay is limited to 10 dB.
    for partition in 0..<plan.partitions {
      let time = Double(partition * plan.block) / sampleRate
      spread[partition] = Float(max(0.1, CMath.power(10, -6 * time / 0.6)))
    }
    reset()
  }

  /// For an unknown room, the assumed power of `partition`, divided by the power of the whole
  /// response.
  private func fraction(_ partition: Int) -> Float {
    spread[partition < plan.partitions ? partition : partition - plan.partitions] / total
  }

  /// The weight of `disturbance` in the expected power of the error. In measurements, weights of
  /// 0.5…1 gave the best results.
  private static let disturbanceWeight: Float = 0.7

  /// The factor `confidence` determines how much each block reduces the uncertainty. The published
  /// equations use a factor of 0.5. Consecutive blocks of speech are similar. Therefore the
  /// uncertainty would become too low with a factor of 0.5. If the uncertainty is too low, the
  /// filter stops adapting. Without near-end speech, all factors from 0.06 to 0.25 give the same
  /// residual echo within 1 dB. In double talk, the filter converges faster with a factor of 0.25
  /// than with a factor of 0.12. With a factor of 0.25, the residual echo is 2 to 4 dB lower.
  /// However, with a factor of 0.25, the echo reduction reaches 30 dB in fewer test scenes with
  /// distortion.
  private static let confidence: Float = 0.12

  /// This power is added to each denominator to avoid a division by 0.
  private static let minimumPower: Float = 1e-10

  /// This power is added to a decaying power to prevent denormals.
  private static let denormalFloor: Float = 1e-20

  mutating func reset() {
    response.clear()
    uncertainty.fill(0)
    disturbance.fill(0)
    (nextConstrained, total) = (1, 0)
    for partition in 0..<plan.partitions { total += spread[partition] }
  }

  /// Raises the uncertainty of a channel's response. The result is at least the uncertainty for an
  /// unknown room with the power gain `gain`. A later call of `restore(from:)` does not revert the
  /// raised uncertainty.
  func raiseUncertainty(channel: Int, gain: Float) {
    for partition in channel * plan.partitions..<(channel + 1) * plan.partitions {
      raise(uncertainty.row, partition, to: gain * fraction(partition))
      raise(formerUncertainty.row, partition, to: gain * fraction(partition))
    }
  }

  /// Raises the uncertainty of each coefficient to at least `relative` times the power of the
  /// coefficient.
  func raiseUncertainty(relative: Float) {
    for index in groupStarts(2 * plan.stride * plan.partitions) {
      let variance = uncertainty.float4(at: index).larger(response.bins(at: index).power * relative)
      uncertainty.setFloat4(variance, at: index)
    }
  }

  /// Exchanges the response with `other` and raises the uncertainty.
  ///
  /// - Parameters:
  ///   - gain: The assumed power of the error of `other`, relative to the power of the reference.
  ///     The strongest partitions of `other` are assumed to have most of this error.
  ///   - partitions: The number of partitions in use.
  mutating func replace(with other: inout Spectra, gain: Float, partitions: Int) {
    swap(&response, &other)
    CallBlock.copy(
      uncertainty.row, to: formerUncertainty.row, count: 2 * plan.stride * plan.partitions)
    var total: Float = 0
    for partition in 0..<partitions { total += response.power(partition) }
    for partition in 0..<partitions {
      let fraction = response.power(partition) / (total + Self.minimumPower)
      raise(
        uncertainty.row, partition, to: gain * (0.8 * fraction + 0.2 * self.fraction(partition)))
    }
  }

  /// Reverts `replace(with:gain:partitions:)`. The response is exchanged with `other` again, and
  /// the former uncertainty is restored.
  mutating func restore(from other: inout Spectra) {
    swap(&response, &other)
    swap(&uncertainty, &formerUncertainty)
  }

  /// Raises the variances of one partition to at least `variance`.
  private func raise(_ variances: Row<Float>, _ partition: Int, to variance: Float) {
    let variances = variances.from(partition * plan.stride)
    for bin in 0...plan.block { variances[bin] = max(variances[bin], variance) }
  }

  /// Adapts the response to the error that this filter made in a block.
  ///
  /// - Parameters:
  ///   - error: The spectrum of the error. This function divides the error in each bin by the
  ///     expected power of the error.
  ///   - heads: Two rows, one per channel. For each channel, this function writes the first
  ///     partition of the response to the row, as samples in reverse order.
  mutating func adapt(
    to history: borrowing ReferenceHistory, error: borrowing Spectra,
    transform: borrowing RealTransform, heads: (Row<Float>, Row<Float>)
  ) {
    scaleToStep(error, history)
    let count = history.partitionCount
    for partition in 0..<count { adapt(partition, to: history, step: error) }
    for channel in 0..<history.channelCount {
      constrain(channel * plan.partitions, transform)
      let head = channel == 0 ? heads.0 : heads.1
      for index in 0..<plan.block { head[plan.block - 1 - index] = scratch[index] }
    }
    // After each block, a quarter of the other partitions is also constrained, in rotation. If all
    // partitions were constrained after each block, the result would differ by at most 0.5 dB.
    for _ in 0..<(count + 2) / 4 {
      constrain(nextConstrained, transform)
      nextConstrained = nextConstrained + 1 < count ? nextConstrained + 1 : 1
    }
  }

  /// Replaces the error in each bin by the step: the error divided by the expected power of the
  /// error.
  private func scaleToStep(_ error: borrowing Spectra, _ history: borrowing ReferenceHistory) {
    let decay = 1 - plan.processNoise
    scratch.fill(0)
    let expected = scratch.row
    for partition in 0..<history.partitionCount {
      let start = history.start(partition)
      for bin in groupStarts(plan.stride) {
        let index = partition * plan.stride + bin
        let power = response.bins(at: index).power
        let variance = uncertainty.float4(at: index) * decay + power * plan.processNoise
        uncertainty.setFloat4(variance, at: index)
        let sum = expected.float4(at: bin) + variance * history.powers.float4(at: start + bin)
        expected.setFloat4(sum, at: bin)
      }
    }
    for bin in groupStarts(plan.stride) {
      let power = error.bins(at: bin).power
      let smoothed = disturbance.float4(at: bin) * 0.7 + power * 0.3 + Self.denormalFloor
      disturbance.setFloat4(smoothed, at: bin)
      let others = smoothed.larger(power) * Self.disturbanceWeight
      let weight = 1 / (expected.float4(at: bin) * 0.5 + others + Self.minimumPower)
      error.setBins(error.bins(at: bin) * weight, at: bin)
      scratch.setFloat4(weight * Self.confidence, at: bin)
    }
  }

  /// Adapts one partition and lowers the uncertainty of this partition.
  @inline(__always)
  private func adapt(
    _ partition: Int, to history: borrowing ReferenceHistory, step: borrowing Spectra
  ) {
    let start = history.start(partition)
    var bin = 0
    while bin < plan.stride {
      let index = partition * plan.stride + bin
      let variance = uncertainty.float4(at: index)
      let gradient = history.spectra.bins(at: start + bin).conjugate(times: step.bins(at: bin))
      response.setBins(response.bins(at: index) + gradient * variance, at: index)
      let power = history.powers.float4(at: start + bin)
      uncertainty.setFloat4(variance * (1 - scratch.float4(at: bin) * variance * power), at: index)
      bin += 4
    }
  }

  /// Constrains one partition's response to the length of a block.
  private func constrain(_ partition: Int, _ transform: borrowing RealTransform) {
    transform.inverse(response, partition, to: scratch.row)
    for index in plan.block..<2 * plan.block { scratch[index] = 0 }
    transform.forward(scratch.row, to: response, partition)
  }
}
