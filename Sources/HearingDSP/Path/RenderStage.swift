/// One step of a signal path: a value that owns its memory and processes whole runs of sound.
///
///     struct TrimStage: ~Copyable, RenderStage {
///       var gain: Float = 1
///
///       mutating func reset() {}
///
///       mutating func process(_ run: inout RenderRun) { … }
///     }
///
/// The owner of a path lists its stages and calls them one after another, each with the same run.
/// The owner alone decides the length of the runs and where the result goes. A stage allocates in
/// its initializer, and does not allocate or free on the render side: release builds check
/// everything that the entry points of the render path call.
///
/// The protocol is for conformance and tests. Signal paths store their stages as concrete types;
/// never use the protocol as an existential.
package protocol RenderStage: ~Copyable {
  /// The data passed from stage to stage: rows of samples, counts, and results of earlier stages.
  associatedtype Run: BitwiseCopyable

  /// Clears all state. Render side.
  mutating func reset()

  /// Processes one run. Render side.
  ///
  /// A stage that changes samples reports it in the run. If no stage does, the path can return its
  /// input bit-exactly.
  mutating func process(_ run: inout Run)
}
