package import HearingBuffers

/// Renders audio with a ``BandGainProcessor``, without a counted reference to the processor.
///
/// An object that renders audio can store a `BandGainRenderer` in its own memory. A stored
/// reference to the ``BandGainProcessor`` would cause reference counting on the audio thread. A
/// `BandGainRenderer` is valid as long as its processor exists.
package struct BandGainRenderer: BitwiseCopyable {
  private let kernel: Row<RenderKernel>

  init(_ kernel: Row<RenderKernel>) {
    self.kernel = kernel
  }

  /// Processes one block in place, in the same way as ``BandGainProcessor/process(_:frameCount:)``.
  #if !DEBUG
    @_noLocks @_noAllocation
  #endif
  package func process(_ channels: Row<Row<Float>>, frameCount: Int) {
    kernel[0].process(channels, frameCount: frameCount)
  }

  /// The maximum magnitude of an output sample in a channel with the current settings.
  #if !DEBUG
    @_noLocks @_noAllocation
  #endif
  package func ceiling(channel: Int) -> Float {
    kernel[0].handoff[0].front[0].limits[channel].ceiling
  }

  /// The number of frames that were rendered since the start of the stream or the last reset. To
  /// simulate a very long stream, a test can set this number.
  package var position: Int64 {
    get { kernel[0].position }
    nonmutating set { kernel[0].position = newValue }
  }

  /// Resets the signal processing, in the same way as ``BandGainProcessor/reset()``.
  #if !DEBUG
    @_noLocks @_noAllocation
  #endif
  package func reset() {
    kernel[0].reset()
  }
}

extension BandGainProcessor {
  /// Renders audio with this processor. The property is for other modules of the package.
  package var renderer: BandGainRenderer { BandGainRenderer(kernel.row) }
}
