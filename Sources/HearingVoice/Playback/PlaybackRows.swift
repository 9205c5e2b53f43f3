internal import HearingDSP
internal import HearingBuffers

/// Samples of the playback, as two channels from which the signals of both loudspeakers follow.
///
/// In most calls, both loudspeakers play the same. Then `difference` is silent, and the echo
/// canceller uses only `mean`.
struct PlaybackRows: BitwiseCopyable {
  /// The mean of both loudspeakers.
  let mean: Row<Float>
  /// Half of the difference between the left and the right loudspeaker.
  let difference: Row<Float>

  /// The rows in memory for `2 * capacity` samples.
  init(_ memory: Row<Float>, capacity: Int) {
    mean = memory.part(from: 0, count: capacity)
    difference = memory.part(from: capacity, count: capacity)
  }

  /// Computes both channels from the signals of two loudspeakers.
  func set(left: Row<Float>, right: Row<Float>, count: Int) {
    for index in 0..<count {
      mean[index] = 0.5 * (left[index] + right[index])
      difference[index] = 0.5 * (left[index] - right[index])
    }
  }
}
