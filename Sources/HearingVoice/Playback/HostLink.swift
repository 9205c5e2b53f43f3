internal import HearingBuffers
import Synchronization

/// The memory that both the render thread and the capture thread use: a wait-free ring for the
/// playback signal, and atomic words.
///
/// The render thread writes to the ring. The capture thread reads from the ring.
struct HostLink: ~Copyable {
  /// The ring buffer. For each playback sample, an element contains the mean and the difference of
  /// the loudspeaker signals (see ``PlaybackRows``). The number of elements is a power of two, and
  /// corresponds to at least 1.3 s.
  private let samples: OwnedRow<SIMD2<Float>>

  /// The number of samples written to the ring since the last reset. The render thread writes
  /// samples, and then stores the number of written samples with releasing order. A reader must
  /// load the number of written samples with acquiring order before it reads samples.
  let written = Atomic<Int64>(0)
  /// The position of the first sample that the reader still needs. The capture thread stores the
  /// position with releasing order. After the render thread has loaded the position with acquiring
  /// order, the render thread may overwrite the samples before the position.
  let needed = Atomic<Int64>(0)
  /// The number of writes that were dropped because the ring was full.
  let overruns = Atomic<UInt32>(0)
  /// The number of reads that needed samples that were not yet written.
  let underruns = Atomic<UInt32>(0)
  /// The decisions on the far voice. Each decision says whether the far voice was active in a
  /// period of 10 ms. The lower 32 bits contain the last 32 decisions, with the newest decision in
  /// bit 0. The upper 32 bits contain the number of decisions since the last reset. The word is
  /// stored with releasing order, and loaded with acquiring order.
  let decisions = Atomic<UInt64>(0)
  /// Whether somebody talks at the microphone. The capture thread writes the value.
  let isNearTalking = Atomic<Bool>(false)
  /// The current gain of other audio in dB. The render thread writes the value.
  let duckingGain = Atomic<Float>(0)
  /// The target gain of other audio in dB: the gain at the end of the current transition. The
  /// render thread writes the value.
  let duckingTarget = Atomic<Float>(0)
  /// The drift of the render clock relative to the capture clock in ppm, or NaN if the drift is not
  /// known. The capture thread writes the value.
  let drift = Atomic<Float>(.nan)
  /// The number of samples in the ring that are written but not yet read. The capture thread sets
  /// this number.
  let lag = Atomic<Int64>(0)
  /// The number of samples in a second.
  private let second: Int

  init(sampleRate: Double) {
    second = Int(sampleRate)
    var capacity = 1_024
    while Double(capacity) < 1.3 * sampleRate { capacity *= 2 }
    samples = .filled(.zero, count: capacity)
  }

  /// Resets the ring and the atomic words. The next written sample gets the position `position`.
  /// Call this function only while no thread renders or captures.
  func reset(position: Int64 = 0) {
    written.store(position, ordering: .relaxed)
    needed.store(position, ordering: .relaxed)
    overruns.store(0, ordering: .relaxed)
    underruns.store(0, ordering: .relaxed)
    decisions.store(0, ordering: .relaxed)
    isNearTalking.store(false, ordering: .relaxed)
    drift.store(.nan, ordering: .relaxed)
    lag.store(0, ordering: .relaxed)
  }

  /// Writes samples. Only the render thread calls this function. If the samples do not fit into the
  /// ring, all `count` samples are dropped.
  func write(_ source: PlaybackRows, count: Int) {
    let start = written.load(ordering: .relaxed)
    let end = start + Int64(count)
    guard end - needed.load(ordering: .acquiring) <= samples.count else {
      overruns.wrappingAdd(1, ordering: .relaxed)
      return
    }
    for index in 0..<count { samples[slot(start + Int64(index))] = source[index] }
    written.store(end, ordering: .releasing)
  }

  /// The sample at `position`. At negative positions, the sample is 0. Any other position must be
  /// at least `needed` and less than `written`.
  @inline(__always)
  func sample(_ position: Int64) -> SIMD2<Float> { position < 0 ? .zero : samples[slot(position)] }

  /// The index of the sample at `position` in the ring.
  private func slot(_ position: Int64) -> Int {
    Int(truncatingIfNeeded: position) & (samples.count - 1)
  }

  /// Adds the decision on a 10 ms frame of the far voice. Only the render thread calls this
  /// function.
  func add(isFarVoice: Bool) {
    let word = decisions.load(ordering: .relaxed)
    let count = (word >> 32 &+ 1) & 0xFFFF_FFFF
    let history = (word << 1 | (isFarVoice ? 1 : 0)) & 0xFFFF_FFFF
    decisions.store(count << 32 | history, ordering: .releasing)
  }

  /// Whether the capture thread has stopped: more than a second of samples has been written but not
  /// yet read. Any thread may read this value.
  var isUncaptured: Bool {
    written.load(ordering: .relaxed) - needed.load(ordering: .relaxed) > second
  }
}

// The type is Sendable for two reasons. The words are atomic, and each sample belongs to one thread
// at a time. Samples from `needed` up to `written` belong to the capture thread. All other samples
// of the ring belong to the render thread. When the render thread increases `written`, the new
// samples belong to the capture thread. When the capture thread increases `needed`, the old samples
// belong to the render thread.
extension HostLink: @unchecked Sendable {}
