internal import HearingDSP
internal import HearingBuffers

/// Custom processing in the uplink, such as an effect or a recorder.
///
///     let gain = UplinkStage(context: UnsafeMutableRawPointer(state)) { context, samples, count in
///       context?.assumingMemoryBound(to: Gain.self).pointee.process(samples, count)
///     }
///     let processor = try VoiceProcessor(sampleRate: 48_000, uplinkStages: [gain])
///
/// Stages process the microphone's signal in order, after echo cancellation, voice detection and
/// suppression, and before the mute; they also run while the microphone is muted. They run on the
/// render side and keep its contract: no allocation, no lock, no reference counting, no waiting.
/// Therefore a stage is a C function without captures, not a closure.
///
/// A stage gets pieces of up to 10 ms whose lengths follow the host's blocks. Its output must not
/// depend on where a piece ends.
@safe
public struct UplinkStage {
  /// Processes samples in place. Parameters: the context, the samples, the number of samples.
  public typealias Process =
    @convention(c) (
      _ context: UnsafeMutableRawPointer?, _ samples: UnsafeMutablePointer<Float>, _ count: Int
    ) -> Void

  /// The stage's state; it must live as long as the processor.
  public var context: UnsafeMutableRawPointer?

  /// Processes one piece. Render side.
  public var process: Process

  /// A stage that calls `process` with `context`.
  public init(context: UnsafeMutableRawPointer? = nil, process: @escaping Process) {
    unsafe self.context = context
    unsafe self.process = process
  }
}

// Sendable: `process` captures nothing, and only the render side uses the memory behind `context`,
// as the documentation demands.
extension UplinkStage: @unchecked Sendable {}

/// Runs the stages that an app has plugged in, in order.
struct InsertedStages: ~Copyable, RenderStage {
  private let stages: OwnedRow<UplinkStage>

  init(_ stages: [UplinkStage]) {
    self.stages = OwnedRow(count: stages.count) { stages[$0] }
  }

  // The app's code must keep the contract of the render path.
  @_semantics("no_performance_analysis")
  func process(_ run: inout UplinkRun) {
    for index in 0..<stages.count {
      unsafe stages[index].process(
        stages[index].context, run.samples.pointer, run.frameCount)
    }
  }

  /// Does nothing: the app resets the memory that `context` points to.
  func reset() {}
}
