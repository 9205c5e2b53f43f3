internal import HearingDSP
internal import HearingBuffers

/// The spectra of the last blocks of the reference, which is the playback signal. The newest block
/// has the age 0.
///
/// The reference has two channels: the mean of both loudspeaker signals, and half of the difference
/// of both loudspeaker signals. As long as both loudspeakers have played the same signal, only the
/// first channel is used.
///
/// Partitions of both channels are numbered consecutively: first the partitions of the mean, then
/// the partitions of the difference.
struct ReferenceHistory: ~Copyable {
  /// The spectra, one row of bins per slot. A slot belongs to one block of one channel.
  let spectra: Spectra

  /// The squared magnitudes of the spectra, one row of bins per slot.
  let powers: OwnedRow<Float>
  /// The sum of the squared magnitudes over all slots, one value per bin.
  let totals: OwnedRow<Float>

  /// For each block, the sum of the energies of both channels.
  private let energies: OwnedRow<Float>
  /// Whether the two loudspeaker signals differ audibly in the newest block.
  private(set) var isDifferent = false

  /// For each channel, the spectrum of two blocks: the newest block, followed by a block of zeros.
  private let newestSpectra: Spectra

  /// The slot of the newest block.
  private var newest = 0

  /// The sum of the energies of both channels in the newest block.
  var newestEnergy: Float { energies[newest] }

  /// The mean energy of the blocks in the history.
  private(set) var meanEnergy: Float = 0

  /// Whether the two loudspeakers have played different signals since the last reset.
  private(set) var isStereo = false

  /// The number of elements of a spectrum.
  var stride: Int { spectra.stride }
  /// The number of samples in a block.
  private let block: Int
  /// The maximum number of blocks of a channel.
  private let capacity: Int
  /// The number of blocks in the history. This number must not exceed the number of partitions of
  /// the plan that was passed to `init`. Reset the history after a change of this number.
  var partitions: Int

  init(plan: EchoPlan) {
    (block, capacity, partitions) = (plan.block, plan.partitions, plan.partitions)
    spectra = Spectra(stride: plan.stride, count: 2 * partitions)
    powers = .filled(0, count: 2 * plan.stride * partitions)
    totals = .filled(0, count: plan.stride)
    energies = .filled(0, count: partitions)
    newestSpectra = Spectra(stride: plan.stride, count: 2)
  }

  mutating func reset() {
    spectra.clear()
    powers.fill(0)
    energies.fill(0)
    newestSpectra.clear()
    (newest, meanEnergy, isStereo) = (0, 0, false)
  }

  /// The number of channels in use.
  var channelCount: Int { isStereo ? 2 : 1 }

  /// The number of partitions of the channels in use.
  var partitionCount: Int { channelCount * partitions }

  /// The slot of a block of one channel. The parameter `age` is 0 for the newest block, and 1 for
  /// the previous block.
  @inline(__always)
  private func slot(_ age: Int, channel: Int) -> Int {
    let slot = newest + age
    return channel * capacity + (slot < partitions ? slot : slot - partitions)
  }

  /// The index of the first bin of a partition in `spectra` and `powers`.
  @inline(__always)
  func start(_ partition: Int) -> Int {
    let slot =
      partition < partitions
      ? slot(partition, channel: 0) : slot(partition - partitions, channel: 1)
    return slot * stride
  }

  /// Adds the newest block of each channel. The slot of the newest block receives the spectrum of
  /// two blocks: the previous block and the newest block. When the loudspeakers begin to play
  /// different signals, the previous block of the second channel counts as zeros.
  ///
  /// - Parameters:
  ///   - mean: The newest block of the mean, followed by a block of zeros.
  ///   - difference: The newest block of the difference, followed by a block of zeros.
  mutating func push(
    _ mean: Row<Float>, difference: Row<Float>, transform: borrowing RealTransform
  ) {
    newest = newest == 0 ? partitions - 1 : newest - 1
    let differenceEnergy = difference.energy(count: block)
    energies[newest] = mean.energy(count: block) + differenceEnergy
    isDifferent = differenceEnergy > PathComparison.silenceThreshold * Float(block)
    if isDifferent { isStereo = true }
    for channel in 0..<channelCount {
      let slot = slot(0, channel: channel)
      transform.forward(channel == 0 ? mean : difference, to: spectra, slot)
      // A block has half the length of the transform. Therefore a shift by one block changes the
      // sign of the odd bins.
      for bin in groupStarts(stride) {
        let (index, former) = (slot * stride + bin, channel * stride + bin)
        let bins = spectra.bins(at: index)
        spectra.setBins(newestSpectra.bins(at: former) + bins * Float4(1, -1, 1, -1), at: index)
        newestSpectra.setBins(bins, at: former)
      }
      spectra.writePower(of: slot, to: powers.from(slot * stride), count: stride)
    }
    // A running sum would accumulate rounding errors. Therefore the powers of all slots are added
    // again for each new block.
    totals.fill(0)
    for channel in 0..<channelCount {
      for slot in channel * capacity..<channel * capacity + partitions {
        for bin in groupStarts(stride) {
          totals.setFloat4(totals.float4(at: bin) + powers.float4(at: slot * stride + bin), at: bin)
        }
      }
    }
    var sum: Float = 0
    for slot in 0..<partitions { sum += energies[slot] }
    meanEnergy = sum / Float(partitions)
  }

  /// Convolves the partitions of `filter` with the history.
  ///
  /// - Parameter ahead: The block for which the result is computed: 0 is the newest block, and 1 is
  ///   the block after the newest block. All samples of the block after the newest block count as
  ///   0.
  func convolve(_ filter: borrowing Spectra, ahead: Int, to result: borrowing Spectra) {
    result.clear()
    for channel in 0..<channelCount {
      let first = channel * partitions
      if ahead == 1 {
        result.add(filter, first, times: newestSpectra, channel)
      }
      for age in 0..<partitions - ahead {
        result.add(filter, first + ahead + age, times: spectra, slot(age, channel: channel))
      }
    }
  }
}
