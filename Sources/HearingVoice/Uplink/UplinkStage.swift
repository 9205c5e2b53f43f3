internal import HearingDSP
internal import HearingBuffers

/// Custom processing of the microphone signal in a call, such as an effect or a recorder.
///
///     let gain = UplinkStage(context: UnsafeMutableRawPointer(state)) { context, samples, count in
///       context?.assumingMemoryBound(to: Gain.self).pointee.process(samples, count)
///     }
///     let processor = try VoiceProcessor(sampleRate: 48_000, uplinkStages: [gain])
///
/// Custom stages process the microphone signal one after the other. Echo cancellation, voice
/// detection, suppression and gain control come before the custom stages. The mute comes after the
/// custom stages. Custom stages also run while the microphone is muted. Custom stages run on the
/// render side, so they must not allocate, lock, count references or wait. Therefore a stage is a C
/// function, which cannot capture values.
///
/// A stage receives sections of up to 10 ms. The lengths of the sections depend on the block sizes
/// of the host. The output of the stage must not depend on the lengths of the sections.
@safe
public struct UplinkStage {
  /// Processes samples in place. The parameters are the context, the samples, and the number of
  /// samples.
  public typealias Process =
    @convention(c) (
      _ context: UnsafeMutableRawPointer?, _ samples: UnsafeMutablePointer<Float>, _ count: Int
    ) -> Void

  /// The state of the stage. The memory of the state must exist as long as the processor exists.
  public var context: UnsafeMutableRawPointer?

  /// Processes one section of the signal. The render side calls this function.
  public var process: Process

  /// Creates a stage that calls `process` with `context`.
  public init(context: UnsafeMutableRawPointer? = nil, process: @escaping Process) {
    unsafe self.context = context
    unsafe self.process = process
  }
}

// The type is Sendable for two reasons: `process` captures nothing, and only the render side may
// use the memory behind `context`.
extension UplinkStage: @unchecked Sendable {}

/// Runs the custom stages of an app in order.
struct InsertedStages: ~Copyable, RenderStage {
  private let stages: OwnedRow<UplinkStage>

  init(_ stages: [UplinkStage]) { self.stages = OwnedRow(count: stages.count) { stages[$0] } }

  // The compiler does not check whether the app's function locks or allocates. The app's function
  // must neither lock nor allocate.
  @_semantics("no_performance_analysis")
  func process(_ run: inout UplinkRun) {
    for index in 0..<stages.count {
      unsafe stages[index].process(stages[index].context, run.samples.pointer, run.frameCount)
    }
  }

  /// Does nothing. The app itself must reset the memory behind `context`.
  func reset() {}
}
