/// The memory in which runs travel: work rows, targets, peaks and meters.
struct RunMemory: ~Copyable {
  /// See ``RenderRun``.
  let work: UnsafeMutablePointer<Float>
  let targets: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  let peaks: UnsafeMutablePointer<Float>
  let meters: UnsafeMutablePointer<ChannelMeter>

  /// Room for the host's channel pointers where frames are interleaved.
  let interleaved: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

  private let shape: ProcessorShape

  init(shape: ProcessorShape) {
    self.shape = shape
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
    for channel in 0..<shape.channelCount { meters[channel] = ChannelMeter() }
  }
}
