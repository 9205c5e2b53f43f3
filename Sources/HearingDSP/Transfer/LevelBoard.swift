internal import HearingBuffers
import Synchronization

/// The figures that the render side measures. Each is an atomic word, so reading and writing are
/// wait-free.
///
/// Each figure by itself is consistent. Figures that are read together may come from neighbouring
/// blocks.
struct LevelBoard {
  private let words: Row<Atomic<UInt32>>
  private let counts: Row<Atomic<UInt64>>
  private let shape: ProcessorShape

  /// The figures of a channel other than the levels and gains of its bands.
  enum Figure: Int {
    case inputPeak, outputPeak, limiterGain, smallestLimiterGain
  }

  private static let figureCount = 4

  private static let generationIndex = 0

  private let wordsPerChannel: Int

  init(shape: ProcessorShape) {
    self.shape = shape
    wordsPerChannel = Self.figureCount + 3 * shape.bandCount
    words = .allocated(count: shape.channelCount * wordsPerChannel) { _ in Atomic(0) }
    counts = .allocated(count: 2 * shape.channelCount + 1) { _ in Atomic(0) }
    for channel in 0..<shape.channelCount {
      write(.limiterGain, 1, channel: channel)
      write(.smallestLimiterGain, 1, channel: channel)
      hideLevels(channel: channel)
    }
  }

  @unsafe func deallocate() {
    unsafe words.deallocate(count: shape.channelCount * wordsPerChannel)
    unsafe counts.deallocate(count: 2 * shape.channelCount + 1)
  }

  @inline(__always)
  func write(_ figure: Figure, _ value: Float, channel: Int) {
    let index = channel &* wordsPerChannel &+ figure.rawValue
    words[index].store(value.bitPattern, ordering: .relaxed)
  }

  func read(_ figure: Figure, channel: Int) -> Float {
    let index = channel &* wordsPerChannel &+ figure.rawValue
    return Float(bitPattern: words[index].load(ordering: .relaxed))
  }

  /// The gains in force in dB, `[band]`.
  @inline(__always)
  func writeGains(_ decibels: Row<Float>, channel: Int) {
    write(decibels, at: channel &* wordsPerChannel &+ Self.figureCount)
  }

  func readGain(channel: Int, band: Int) -> Float {
    let index = channel &* wordsPerChannel &+ Self.figureCount &+ band
    return Float(bitPattern: words[index].load(ordering: .relaxed))
  }

  /// The gains that the settings ask for in dB, `[band]`.
  @inline(__always)
  func writeTargets(_ decibels: Row<Float>, channel: Int) {
    write(
      decibels, at: channel &* wordsPerChannel &+ Self.figureCount &+ 2 &* shape.bandCount)
  }

  func readTarget(channel: Int, band: Int) -> Float {
    let index = channel &* wordsPerChannel &+ Self.figureCount &+ 2 &* shape.bandCount &+ band
    return Float(bitPattern: words[index].load(ordering: .relaxed))
  }

  /// The levels in dB SPL, `[band]`.
  @inline(__always)
  func writeLevels(_ levels: Row<Float>, channel: Int) {
    write(levels, at: channel &* wordsPerChannel &+ Self.figureCount &+ shape.bandCount)
  }

  /// Writes that a channel's levels are not measured.
  func hideLevels(channel: Int) {
    let first = channel &* wordsPerChannel &+ Self.figureCount &+ shape.bandCount
    for index in first..<first &+ shape.bandCount {
      words[index].store(Float.nan.bitPattern, ordering: .relaxed)
    }
  }

  /// Writes a number for each band, from the word with this index on.
  @inline(__always)
  private func write(_ numbers: Row<Float>, at first: Int) {
    let place = words.from(first)
    for band in 0..<shape.bandCount {
      place[band].store(numbers[band].bitPattern, ordering: .relaxed)
    }
  }

  func readLevel(channel: Int, band: Int) -> Float {
    let index = channel &* wordsPerChannel &+ Self.figureCount &+ shape.bandCount &+ band
    return Float(bitPattern: words[index].load(ordering: .relaxed))
  }

  @inline(__always)
  func writeLimitedFrames(_ count: UInt64, channel: Int) {
    counts[channel + 1].store(count, ordering: .relaxed)
  }

  func readLimitedFrames(channel: Int) -> UInt64 {
    counts[channel + 1].load(ordering: .relaxed)
  }

  @inline(__always)
  func writeRejectedSamples(_ count: UInt64, channel: Int) {
    counts[shape.channelCount + channel + 1].store(count, ordering: .relaxed)
  }

  func readRejectedSamples(channel: Int) -> UInt64 {
    counts[shape.channelCount + channel + 1].load(ordering: .relaxed)
  }

  @inline(__always)
  func writeGeneration(_ generation: UInt64) {
    counts[Self.generationIndex].store(generation, ordering: .releasing)
  }

  func readGeneration() -> UInt64 {
    counts[Self.generationIndex].load(ordering: .acquiring)
  }
}
