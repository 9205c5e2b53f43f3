/// The render side of a ``BandGainProcessor`` as a plain pointer.
///
/// For render objects that drive a processor from memory of their own, where a reference to the
/// class would be counted. Valid as long as the processor lives.
package struct BandGainRenderer: BitwiseCopyable {
  private let kernel: UnsafeMutablePointer<RenderKernel>

  init(_ kernel: UnsafeMutablePointer<RenderKernel>) {
    self.kernel = kernel
  }

  /// Processes one block in place, as ``BandGainProcessor/process(_:frameCount:)`` does.
  @_noLocks @_noAllocation
  package func process(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) {
    kernel.pointee.process(channels, frameCount: frameCount)
  }

  /// The largest magnitude that the settings in force permit in a channel.
  @_noLocks @_noAllocation
  package func ceiling(channel: Int) -> Float {
    kernel.pointee.handoff.front.pointee.channels[channel].ceiling
  }

  /// Forgets the sound heard so far, as ``BandGainProcessor/reset()`` does.
  @_noLocks @_noAllocation
  package func reset() {
    kernel.pointee.reset()
  }
}

extension BandGainProcessor {
  /// The render side, for a render object of another module.
  package var renderer: BandGainRenderer { BandGainRenderer(kernel) }
}
