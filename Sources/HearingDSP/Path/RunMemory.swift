internal import HearingBuffers

/// The memory of a ``RenderKernel`` for runs of frames. The kernel reuses the memory for every
/// ``RenderRun``.
struct RunMemory: ~Copyable {
  /// The memory for the properties of a ``RenderRun`` with the names `work`, `ratios`, `targets`,
  /// `peaks` and `meters`.
  let work: OwnedRow<Float>
  let ratios: OwnedRow<Float>
  let targets: OwnedRow<Row<Float>>
  let peaks: OwnedRow<Float>
  let meters: OwnedRow<ChannelMeter>

  /// The host's samples of each channel in the current block.
  let host: OwnedRow<Row<Float>>

  let allChannels: ChannelSet

  init(shape: ProcessorShape) {
    allChannels = ChannelSet(count: shape.channelCount)
    work = .filled(0, count: shape.pairedChannelCount * RenderTiming.chunk)
    ratios = .filled(0, count: RenderTiming.chunk)
    targets = .filled(.empty, count: shape.channelCount)
    peaks = .filled(0, count: shape.channelCount)
    meters = .filled(ChannelMeter(), count: shape.channelCount)
    host = .filled(.empty, count: shape.channelCount)
  }

  func reset() {
    meters.fill(ChannelMeter())
  }
}
