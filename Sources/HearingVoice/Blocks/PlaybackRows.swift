internal import HearingBuffers

/// The playback samples that belong to one section of the microphone signal. There are two
/// channels: the mean of both loudspeaker signals, and half of the difference of both loudspeaker
/// signals.
///
/// If both loudspeakers play the same signal, all samples of `difference` are 0. As long as all
/// samples of `difference` have been 0, the echo canceller uses only `mean`.
struct PlaybackRows: BitwiseCopyable {
  /// The mean of both loudspeaker signals.
  let mean: Row<Float>
  /// Half of the left loudspeaker signal minus half of the right loudspeaker signal.
  let difference: Row<Float>

  /// The total number of samples of both rows.
  static let memorySize = 2 * UplinkRun.capacity

  /// Both rows without their first `index` samples.
  func from(_ index: Int) -> Self {
    Self(mean: mean.from(index), difference: difference.from(index))
  }

  /// The samples of `mean` and `difference` at the same index.
  @inline(__always)
  subscript(_ index: Int) -> SIMD2<Float> {
    get { SIMD2(mean[index], difference[index]) }
    nonmutating set {
      mean[index] = newValue[0]
      difference[index] = newValue[1]
    }
  }

  /// Computes both channels from the signals of two loudspeakers. The signals may be in the same
  /// memory as these rows.
  func set(left: Row<Float>, right: Row<Float>, count: Int) {
    for index in 0..<count {
      let (left, right) = (left[index], right[index])
      mean[index] = 0.5 * (left + right)
      difference[index] = 0.5 * (left - right)
    }
  }
}

extension PlaybackRows {
  /// - Parameter memory: The memory for both rows: ``memorySize`` samples.
  init(_ memory: Row<Float>) {
    mean = memory.part(from: 0, count: UplinkRun.capacity)
    difference = memory.part(from: UplinkRun.capacity, count: UplinkRun.capacity)
  }
}
