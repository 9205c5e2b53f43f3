/// The render side of a ``BandGainProcessor`` as a plain pointer.
///
/// For render objects that drive a processor from memory of their own, where a reference to the
/// class would be counted. Valid as long as the processor lives.
package struct BandGainRenderer: BitwiseCopyable {
  private let state: UnsafeMutablePointer<RenderState>

  init(_ state: UnsafeMutablePointer<RenderState>) {
    self.state = state
  }

  /// Processes one block in place, as ``BandGainProcessor/process(_:frameCount:)`` does.
  @_noLocks @_noAllocation
  package func process(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) {
    Rendering.render(state, channels, frameCount: frameCount, stride: 1)
  }

  /// The largest magnitude that the settings in force permit in a channel.
  @_noLocks @_noAllocation
  package func ceiling(channel: Int) -> Float {
    state.pointee.channels[channel].settings.ceiling
  }

  /// Forgets the sound heard so far, as ``BandGainProcessor/reset()`` does.
  @_noLocks @_noAllocation
  package func reset() {
    Transition.reset(state)
  }
}

extension BandGainProcessor {
  /// The render side, for a render object of another module.
  package var renderer: BandGainRenderer { BandGainRenderer(render) }
}
