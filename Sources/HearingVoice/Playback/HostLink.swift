internal import HearingDSP
internal import HearingBuffers
import Synchronization

/// The memory that the two threads of a host share. The memory contains a wait-free ring for the
/// reference signal, and atomic words.
///
/// The render thread writes to the ring. The capture thread reads from the ring. Each thread has
/// its own copy of the references to the same rows. The processor that creates the link calls
/// `deallocate()`.
struct HostLink {
  /// The number of samples in the ring. This number is a power of two and corresponds to at least
  /// 1.3 s.
  let capacity: Int
  /// The mean and the difference of each sample (see ``PlaybackRows``).
  private let samples: Row<SIMD2<Float>>
  private let words: Row<Words>

  struct Words: ~Copyable {
    /// The number of samples written since the start.
    let written = Atomic<Int64>(0)
    /// The position of the first sample that the reader still needs.
    let needed = Atomic<Int64>(0)
    /// The number of writes that were dropped because the ring was full.
    let overruns = Atomic<UInt32>(0)
    /// The number of reads that needed samples which were not written yet.
    let underruns = Atomic<UInt32>(0)
    /// A decision is whether the far voice was active in a block of 10 ms. The lower half contains
    /// the last 32 decisions, with the newest decision in bit 0. The upper half is the number of
    /// all decisions.
    let decisions = Atomic<UInt64>(0)
    /// Whether somebody talks at the microphone.
    let isNearTalking = Atomic<Bool>(false)
    /// The gain of other audio in dB. The upper half contains the target, and the lower half
    /// contains the current value.
    let duckingGain = Atomic<UInt64>(0)
    /// The drift of the render clock in ppm. NaN if the drift is not known.
    let drift = Atomic<UInt32>(Float.nan.bitPattern)
    /// The number of samples that are written but not yet read.
    let lag = Atomic<Int64>(0)
  }

  init(sampleRate: Double) {
    var capacity = 1_024
    while Double(capacity) < 1.3 * sampleRate { capacity *= 2 }
    self.capacity = capacity
    samples = .filled(.zero, count: capacity)
    words = .allocated(count: 1) { _ in Words() }
  }

  @unsafe func deallocate() {
    unsafe samples.deallocate(count: capacity)
    unsafe words.deallocate(count: 1)
  }

  /// Resets the ring and the words. The next written sample gets the position `position`. Call this
  /// function only while neither thread renders or captures.
  func reset(position: Int64 = 0) {
    words[0].written.store(position, ordering: .relaxed)
    words[0].needed.store(position, ordering: .relaxed)
    words[0].overruns.store(0, ordering: .relaxed)
    words[0].underruns.store(0, ordering: .relaxed)
    words[0].decisions.store(0, ordering: .relaxed)
    words[0].isNearTalking.store(false, ordering: .relaxed)
    drift = .nan
    words[0].lag.store(0, ordering: .relaxed)
  }

  /// Writes samples. Only the render thread uses this member. If the samples do not fit into the
  /// ring, all of them are dropped.
  func write(_ source: PlaybackRows, count: Int) {
    let start = words[0].written.load(ordering: .relaxed)
    let end = start + Int64(count)
    guard end - words[0].needed.load(ordering: .acquiring) <= capacity else {
      words[0].overruns.wrappingAdd(1, ordering: .relaxed)
      return
    }
    for index in 0..<count {
      samples[slot(start + Int64(index))] = source[index]
    }
    words[0].written.store(end, ordering: .releasing)
  }

  /// The number of samples written since the start. Only the capture thread uses this member.
  var written: Int64 { words[0].written.load(ordering: .acquiring) }

  /// The sample at `position`. At negative positions, the sample is 0. All other positions must be
  /// written and still needed.
  @inline(__always)
  func sample(_ position: Int64) -> SIMD2<Float> {
    position < 0 ? .zero : samples[slot(position)]
  }

  /// The index in the ring of the sample at `position`.
  private func slot(_ position: Int64) -> Int { Int(truncatingIfNeeded: position) & (capacity - 1) }

  /// Allows the writer to overwrite the samples before `position`. Only the capture thread uses
  /// this member.
  func release(before position: Int64) {
    words[0].needed.store(position, ordering: .releasing)
  }

  /// The number of writes that were dropped because the ring was full. Both threads may use this
  /// member.
  var overruns: UInt32 { words[0].overruns.load(ordering: .relaxed) }

  /// The number of reads that needed samples which were not written yet. Any thread may use this
  /// member.
  var underruns: UInt32 { words[0].underruns.load(ordering: .relaxed) }

  /// Counts one read that needed samples which were not written yet. Only the capture thread uses
  /// this member.
  func countUnderrun() { words[0].underruns.wrappingAdd(1, ordering: .relaxed) }

  /// Adds a decision on 10 ms of the far voice. Only the render thread uses this member.
  func add(isFarVoice: Bool) {
    let word = words[0].decisions.load(ordering: .relaxed)
    let count = (word >> 32 &+ 1) & 0xFFFF_FFFF
    let history = (word << 1 | (isFarVoice ? 1 : 0)) & 0xFFFF_FFFF
    words[0].decisions.store(count << 32 | history, ordering: .releasing)
  }

  /// Whether the far voice was active in each of the last 32 blocks of 10 ms, with the newest block
  /// in bit 0, and the number of all blocks. Only the capture thread uses this member.
  var decisions: (history: UInt32, count: UInt32) {
    let word = words[0].decisions.load(ordering: .acquiring)
    return (UInt32(truncatingIfNeeded: word), UInt32(truncatingIfNeeded: word >> 32))
  }

  /// Whether somebody talks at the microphone. The capture thread writes the value, and the render
  /// thread reads it.
  var isNearTalking: Bool {
    get { words[0].isNearTalking.load(ordering: .relaxed) }
    nonmutating set { words[0].isNearTalking.store(newValue, ordering: .relaxed) }
  }

  /// The gain of other audio in dB. The render thread writes the value, and the capture thread
  /// reads it.
  var duckingGain: (now: Float, target: Float) {
    get {
      let word = words[0].duckingGain.load(ordering: .relaxed)
      return (
        Float(bitPattern: UInt32(truncatingIfNeeded: word)),
        Float(bitPattern: UInt32(truncatingIfNeeded: word >> 32))
      )
    }
    nonmutating set {
      let word = UInt64(newValue.target.bitPattern) << 32 | UInt64(newValue.now.bitPattern)
      words[0].duckingGain.store(word, ordering: .relaxed)
    }
  }

  /// Whether any playback has been rendered. Only the capture thread uses this member.
  var hasRendered: Bool { written > 0 }

  /// Whether more than `samples` written samples have not been read yet. Any thread may use this
  /// member.
  func isUncaptured(samples: Int) -> Bool {
    let needed = words[0].needed.load(ordering: .relaxed)
    return words[0].written.load(ordering: .relaxed) - needed > samples
  }

  /// The drift of the render clock in ppm. NaN if the drift is not known. The capture thread writes
  /// the value.
  var drift: Float {
    get { Float(bitPattern: words[0].drift.load(ordering: .relaxed)) }
    nonmutating set { words[0].drift.store(newValue.bitPattern, ordering: .relaxed) }
  }

  /// The number of samples that are written but not yet read. The capture thread writes the
  /// value.
  var lag: Int64 {
    get { words[0].lag.load(ordering: .relaxed) }
    nonmutating set { words[0].lag.store(newValue, ordering: .relaxed) }
  }
}

// The type is Sendable because the rows are constant and the words are atomic. Samples from
// `needed` up to `written` belong to the capture thread. All other samples belong to the render
// thread. When `written` or `needed` changes, samples are passed to the other thread.
extension HostLink: @unchecked Sendable {}
