/// One processing step of a signal path, for example a filter or a limiter. A stage owns its
/// memory. A stage processes one run of frames at a time. A run is a short sequence of consecutive
/// frames.
///
///     struct TrimStage: ~Copyable, RenderStage {
///       var gain: Float = 1
///
///       mutating func reset() {}
///
///       mutating func process(_ run: inout RenderRun) { … }
///     }
///
/// The owner of a signal path stores the stages. For each run, the owner calls `process(_:)` of
/// every stage in order. The owner also determines the length of the runs and the memory for the
/// output.
///
/// A stage allocates its memory in its initializer, and never allocates or frees memory on the
/// audio thread. In a release build, the compiler rejects memory allocation in all code that the
/// audio thread calls.
///
/// Signal paths store their stages as concrete types. Never use the protocol as an existential
/// type.
package protocol RenderStage: ~Copyable {
  /// The type of a run: the data that a stage passes to the next stage, for example samples and
  /// peaks.
  associatedtype Run: BitwiseCopyable

  /// Clears the state of the stage, for example filter states. Called on the audio thread.
  mutating func reset()

  /// Processes one run of frames. Called on the audio thread.
  ///
  /// A ``RenderRun`` contains a set of unchanged channels. A stage that changes a channel removes
  /// the channel from the set of unchanged channels. In an unchanged channel, the output of the
  /// signal path is bit-identical to the input.
  mutating func process(_ run: inout Run)
}
