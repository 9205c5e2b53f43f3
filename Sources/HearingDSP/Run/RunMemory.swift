/// The memory of the runs: work rows, targets, peaks and meters.
struct RunMemory: ~Copyable {
  /// See ``RenderRun``.
  let work: UnsafeMutablePointer<Float>
  let targets: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  let peaks: UnsafeMutablePointer<Float>
  let meters: UnsafeMutablePointer<ChannelMeter>

  /// Memory for the channel pointers of interleaved frames and of spans.
  let interleaved: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

  let allChannels: ChannelSet
  private let channelCount: Int

  init(shape: ProcessorShape) {
    channelCount = shape.channelCount
    allChannels = ChannelSet(count: shape.channelCount)
    work = .filled(0, count: shape.pairedChannelCount * RenderTiming.chunk)
    targets = .filled(work, count: shape.channelCount)
    peaks = .filled(0, count: shape.channelCount)
    meters = .filled(ChannelMeter(), count: shape.channelCount)
    interleaved = .filled(work, count: shape.channelCount)
  }

  deinit {
    work.deallocate()
    targets.deallocate()
    peaks.deallocate()
    meters.deallocate()
    interleaved.deallocate()
  }

  @_noLocks @_noAllocation
  func reset() {
    for channel in 0..<channelCount { meters[channel] = ChannelMeter() }
  }
}
