internal import HearingBuffers

/// Delays samples by a fixed number of frames, without changing the samples.
struct DelayLine: ~Copyable {
  private let samples: OwnedRow<Float>
  private let length: Int
  private var position = 0

  /// Creates a delay line for a delay of `length` frames. At first, the delay line contains
  /// silence. With a length of 0, samples are not delayed.
  init(length: Int) {
    self.length = length
    samples = .filled(0, count: max(1, length))
  }

  /// Replaces all samples in the delay line by 0.
  mutating func clear() {
    for index in 0..<length { samples[index] = 0 }
    position = 0
  }

  /// Replaces each sample of `run` by the sample that came `length` frames earlier in the stream.
  mutating func exchange(_ run: Row<Float>, count: Int) {
    guard length > 0 else { return }
    var done = 0
    while done < count {
      let part = min(count - done, length - position)
      let (here, there) = (samples.from(position), run.from(done))
      for index in 0..<part {
        let old = here[index]
        here[index] = there[index]
        there[index] = old
      }
      done += part
      position = position + part == length ? 0 : position + part
    }
  }
}
