/// One step of a signal path. A stage is a value that owns its memory and processes one run of
/// frames at a time.
///
///     struct TrimStage: ~Copyable, RenderStage {
///       var gain: Float = 1
///
///       mutating func reset() {}
///
///       mutating func process(_ run: inout RenderRun) { … }
///     }
///
/// The owner of a signal path stores the stages, and calls the stages in order with the same run.
/// The owner of the signal path also determines the length of the runs and the memory for the
/// output.
///
/// A stage allocates its memory in its initializer, and never allocates or frees memory on the
/// render side. In a release build, the compiler rejects memory allocation in all code that the
/// render side calls.
///
/// Signal paths store their stages as concrete types. Never use the protocol as an existential
/// type.
package protocol RenderStage: ~Copyable {
  /// The data that a stage passes to the next stage: rows of samples, counts, and results.
  associatedtype Run: BitwiseCopyable

  /// Clears all state. Called on the render side.
  mutating func reset()

  /// Processes one run. Called on the render side.
  ///
  /// A ``RenderRun`` contains a set of unchanged channels. A stage that changes a channel removes
  /// the channel from the set of unchanged channels. The signal path returns unchanged channels
  /// bit-exactly.
  mutating func process(_ run: inout Run)
}
