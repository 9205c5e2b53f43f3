internal import HearingBuffers

/// The memory that every ``RenderRun`` uses: samples, targets, peaks and meters.
struct RunMemory: ~Copyable {
  /// A ``RenderRun`` has a view of each of the rows `work`, `ratios`, `targets`, `peaks` and
  /// `meters`. Each view has the same name as its row.
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
