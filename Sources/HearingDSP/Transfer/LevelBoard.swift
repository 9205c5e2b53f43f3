internal import HearingBuffers
import Synchronization

/// Contains levels, gains and counts for meters. The audio thread writes these numbers, and other
/// threads read them. Each number is an atomic word. Therefore reads and writes are wait-free.
///
/// A read of several numbers may return numbers from two consecutive blocks.
struct LevelBoard {
  /// For each channel, the numbers of ``ChannelValue``, followed by the numbers of ``BandValue`` in
  /// the order `[BandValue][band]`.
  private let words: Row<Atomic<UInt32>>
  /// The generation number of the active settings, followed by the counts in the order
  /// `[Count][channel]`.
  private let counts: Row<Atomic<UInt64>>
  private let shape: ProcessorShape
  private let wordsPerChannel: Int

  /// The kinds of numbers that are stored once per channel.
  enum ChannelValue: Int {
    case inputPeak, outputPeak, limiterGain, minimumLimiterGain
  }

  /// The kinds of numbers that are stored once per band: the current gain in dB, the target gain in
  /// dB, and the level in dB SPL. If levels are not measured, the level is NaN.
  enum BandValue: Int {
    case gain, target, level
  }

  /// The kinds of counts since the last reset. `limitedFrames` counts the frames in which the
  /// limiter reduced the gain by more than 0.5 dB. `rejectedSamples` counts the invalid input
  /// samples.
  enum Count: Int {
    case limitedFrames, rejectedSamples
  }

  private static let channelValueCount = 4
  private static let bandValueCount = 3
  private static let countCount = 2

  init(shape: ProcessorShape) {
    self.shape = shape
    wordsPerChannel = Self.channelValueCount + Self.bandValueCount * shape.bandCount
    words = .allocated(count: shape.channelCount * wordsPerChannel) { _ in Atomic(0) }
    counts = .allocated(count: 1 + Self.countCount * shape.channelCount) { _ in Atomic(0) }
    for channel in 0..<shape.channelCount {
      write(.limiterGain, 1, channel: channel)
      write(.minimumLimiterGain, 1, channel: channel)
      hideLevels(channel: channel)
    }
  }

  @unsafe func deallocate() {
    unsafe words.deallocate(count: shape.channelCount * wordsPerChannel)
    unsafe counts.deallocate(count: 1 + Self.countCount * shape.channelCount)
  }

  func write(_ kind: ChannelValue, _ value: Float, channel: Int) {
    words[channel &* wordsPerChannel &+ kind.rawValue].store(
      value.bitPattern, ordering: .relaxed)
  }

  func read(_ kind: ChannelValue, channel: Int) -> Float {
    let word = words[channel &* wordsPerChannel &+ kind.rawValue].load(ordering: .relaxed)
    return Float(bitPattern: word)
  }

  private func bands(_ kind: BandValue, _ channel: Int) -> Row<Atomic<UInt32>> {
    words.from(
      channel &* wordsPerChannel &+ Self.channelValueCount &+ kind.rawValue &* shape.bandCount)
  }

  /// Writes one number for each band of a channel.
  func write(_ kind: BandValue, _ numbers: Row<Float>, channel: Int) {
    let bands = bands(kind, channel)
    for band in 0..<shape.bandCount {
      bands[band].store(numbers[band].bitPattern, ordering: .relaxed)
    }
  }

  /// Reads one number for each band of a channel.
  func read(_ kind: BandValue, channel: Int) -> [Double] {
    let bands = bands(kind, channel)
    return (0..<shape.bandCount).map { band in
      Double(Float(bitPattern: bands[band].load(ordering: .relaxed)))
    }
  }

  /// Sets a channel's levels to NaN, which means that the levels are not measured.
  func hideLevels(channel: Int) {
    let bands = bands(.level, channel)
    for band in 0..<shape.bandCount {
      bands[band].store(Float.nan.bitPattern, ordering: .relaxed)
    }
  }

  func write(_ count: Count, _ value: UInt64, channel: Int) {
    counts[1 + count.rawValue * shape.channelCount + channel].store(value, ordering: .relaxed)
  }

  func read(_ count: Count, channel: Int) -> UInt64 {
    counts[1 + count.rawValue * shape.channelCount + channel].load(ordering: .relaxed)
  }

  func writeGeneration(_ generation: UInt64) {
    counts[0].store(generation, ordering: .releasing)
  }

  func readGeneration() -> UInt64 {
    counts[0].load(ordering: .acquiring)
  }
}
