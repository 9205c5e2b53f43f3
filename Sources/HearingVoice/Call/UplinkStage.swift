/// A place in the uplink for processing of your own, such as noise suppression or automatic gain.
///
///     let gain = UplinkStage(context: UnsafeMutableRawPointer(state)) { context, samples, count in
///       context?.assumingMemoryBound(to: Gain.self).pointee.process(samples, count)
///     }
///     let processor = try VoiceProcessor(sampleRate: 48_000, uplinkStages: [gain])
///
/// Stages work one after the other on the microphone's sound, after the echo has been taken out and
/// the detector has heard it, and before it is muted; they hear it also while it is muted. They run
/// on the render side and keep its contract: no allocation, no lock, no reference counting, no
/// waiting. A stage gets pieces of up to 10 ms, cut as the host's blocks happen to be: what it does
/// must not depend on that. That is why it is a function without captured context, and not a
/// closure.
public struct UplinkStage {
  /// Processes samples in place: the context, the samples, how many there are.
  public typealias Process =
    @convention(c) (
      _ context: UnsafeMutableRawPointer?, _ samples: UnsafeMutablePointer<Float>, _ count: Int
    ) -> Void

  /// What the stage works with; it must live as long as the processor.
  public var context: UnsafeMutableRawPointer?

  /// What the stage does.
  public var process: Process

  /// A stage of `process`, which works with `context`.
  public init(context: UnsafeMutableRawPointer? = nil, process: @escaping Process) {
    self.context = context
    self.process = process
  }
}

// Sendable: `process` captures nothing, and what `context` leads to is used by the render side
// alone, as the documentation asks.
extension UplinkStage: @unchecked Sendable {}
