internal import HearingDSP
internal import HearingBuffers
import Synchronization

/// The memory that the two threads of a host share: a wait-free ring for the reference, and atomic
/// words.
///
/// One thread renders playback and writes; the other captures and reads. Both have a copy of the
/// same rows; the processor that creates it calls `deallocate()`.
struct HostLink {
  /// Samples in the ring, a power of two: at least 1.5 s.
  let capacity: Int
  private let samples: Row<Float>
  private let words: Row<Words>

  struct Words: ~Copyable {
    /// Samples written since the start, and the first that the reader still needs.
    let written = Atomic<Int>(0)
    let needed = Atomic<Int>(0)
    /// How often the ring was full, and how often the reader needed samples not yet written.
    let overruns = Atomic<UInt32>(0)
    let underruns = Atomic<UInt32>(0)
    /// The last 32 decisions on the far voice in the lower half, the newest in bit 0; their count
    /// above.
    let decisions = Atomic<UInt64>(0)
    let isNearTalking = Atomic<Bool>(false)
    /// The gain of other audio: target and current value.
    let duckingGain = Atomic<UInt64>(0)
    /// The clock drift in ppm, NaN if it is not known, and the samples that the reader is behind
    /// the writer.
    let drift = Atomic<UInt32>(Float.nan.bitPattern)
    let lag = Atomic<Int>(0)
  }

  init(sampleRate: Double) {
    var capacity = 1_024
    while Double(capacity) < 1.5 * sampleRate { capacity *= 2 }
    self.capacity = capacity
    samples = .filled(0, count: capacity)
    words = .allocated(count: 1) { _ in Words() }
  }

  @unsafe func deallocate() {
    unsafe samples.deallocate(count: capacity)
    unsafe words.deallocate(count: 1)
  }

  /// Resets the ring and the words, while neither thread runs.
  func reset() {
    words[0].written.store(0, ordering: .relaxed)
    words[0].needed.store(0, ordering: .relaxed)
    words[0].overruns.store(0, ordering: .relaxed)
    words[0].underruns.store(0, ordering: .relaxed)
    words[0].decisions.store(0, ordering: .relaxed)
    words[0].isNearTalking.store(false, ordering: .relaxed)
    drift = .nan
    words[0].lag.store(0, ordering: .relaxed)
  }

  /// Writes samples, or drops them while the ring is full. Render thread.
  func write(_ source: Row<Float>, count: Int) {
    let start = words[0].written.load(ordering: .relaxed)
    guard start + count - words[0].needed.load(ordering: .acquiring) <= capacity else {
      words[0].overruns.wrappingAdd(1, ordering: .relaxed)
      return
    }
    for index in 0..<count { samples[(start + index) & (capacity - 1)] = source[index] }
    words[0].written.store(start + count, ordering: .releasing)
  }

  /// Samples written since the start. Capture thread.
  var written: Int { words[0].written.load(ordering: .acquiring) }

  /// The sample at a position that is written and still needed; 0 before the first.
  @inline(__always)
  func sample(_ position: Int) -> Float { position < 0 ? 0 : samples[position & (capacity - 1)] }

  /// Lets the writer overwrite the samples before `position`. Capture thread.
  func release(before position: Int) {
    words[0].needed.store(position, ordering: .releasing)
  }

  /// How often samples were dropped because nothing was captured. Either thread.
  var overruns: UInt32 { words[0].overruns.load(ordering: .relaxed) }

  /// How often samples were missing. Any thread.
  var underruns: UInt32 { words[0].underruns.load(ordering: .relaxed) }

  /// Counts one read with missing samples. Capture thread.
  func countUnderrun() { words[0].underruns.wrappingAdd(1, ordering: .relaxed) }

  /// Adds a decision on 10 ms of the far voice. Render thread.
  func add(isFarVoice: Bool) {
    let word = words[0].decisions.load(ordering: .relaxed)
    let count = (word >> 32 &+ 1) & 0xFFFF_FFFF
    let history = (word << 1 | (isFarVoice ? 1 : 0)) & 0xFFFF_FFFF
    words[0].decisions.store(count << 32 | history, ordering: .releasing)
  }

  /// The last 32 decisions on the far voice, and the number of all decisions. Capture thread.
  var decisions: (history: UInt32, count: UInt32) {
    get {
      let word = words[0].decisions.load(ordering: .acquiring)
      return (UInt32(truncatingIfNeeded: word), UInt32(truncatingIfNeeded: word >> 32))
    }
  }

  /// Whether somebody talks at the microphone: set by the capture thread, read by the render
  /// thread.
  var isNearTalking: Bool {
    get { words[0].isNearTalking.load(ordering: .relaxed) }
    nonmutating set {
      words[0].isNearTalking.store(newValue, ordering: .relaxed)
    }
  }

  /// The gain of other audio in dB: set by the render thread, read by the capture thread.
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

  /// Whether playback has been rendered. Capture thread.
  var hasRendered: Bool { written > 0 }

  /// Whether more than `samples` samples wait for the reader. Any thread.
  func isUncaptured(samples: Int) -> Bool {
    let needed = words[0].needed.load(ordering: .relaxed)
    return words[0].written.load(ordering: .relaxed) - needed > samples
  }

  /// The drift of the render clock in ppm; NaN if it is not known. Set by the capture thread.
  var drift: Float {
    get {
      Float(bitPattern: words[0].drift.load(ordering: .relaxed))
    }
    nonmutating set {
      words[0].drift.store(newValue.bitPattern, ordering: .relaxed)
    }
  }

  /// The samples that the reader is behind the writer. Set by the capture thread.
  var lag: Int {
    get { words[0].lag.load(ordering: .relaxed) }
    nonmutating set {
      words[0].lag.store(newValue, ordering: .relaxed)
    }
  }
}

// Sendable: constant rows. The words are atomic; samples from `needed` up to `written` belong to
// the capture thread, all others to the render thread, and the two words hand them over.
extension HostLink: @unchecked Sendable {}
