internal import HearingBuffers

/// The samples of the playback in a run of the uplink. There are two channels: the mean of both
/// loudspeaker signals, and half of their difference.
///
/// As long as both loudspeakers play the same signal, `difference` is silent, and the echo
/// canceller uses only `mean`.
struct PlaybackRows: BitwiseCopyable {
  /// The mean of both loudspeaker signals.
  let mean: Row<Float>
  /// Half of the difference between the left and the right loudspeaker signal.
  let difference: Row<Float>

  /// The number of samples in the memory of both rows.
  static let memorySize = 2 * UplinkRun.capacity

  /// The rows that begin at `index`.
  func from(_ index: Int) -> Self {
    Self(mean: mean.from(index), difference: difference.from(index))
  }

  /// The mean and the difference of one sample.
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
  /// - Parameter memory: The memory of both rows, ``memorySize`` samples.
  init(_ memory: Row<Float>) {
    mean = memory.part(from: 0, count: UplinkRun.capacity)
    difference = memory.part(from: UplinkRun.capacity, count: UplinkRun.capacity)
  }
}
