import Foundation
import HearingBuffers
import SignalTestSupport
import Synchronization
import TestSupport
import XCTest

@testable import HearingVoice

final class ReferenceReaderTests: XCTestCase {
  /// Writes `samples` as the mean of the two loudspeakers. Their difference is the mean multiplied
  /// by `scale`.
  private func write(
    _ samples: [Float], scale: Float = -1, to link: borrowing OwnedRow<HostLink>
  ) {
    let memory = OwnedRow<Float>.filled(0, count: PlaybackRows.memorySize)
    let rows = PlaybackRows(memory.row)
    rows.mean.write(samples)
    rows.difference.write(samples.map { scale * $0 })
    link[0].write(rows, count: samples.count)
  }

  func test_read_beforeAnythingWasWritten_returnsSilence() {
    let link = OwnedRow(HostLink(sampleRate: 8_000))
    var reader = ReferenceReader(link.row, sampleRate: 8_000)
    let samples = reader.read(80)
    for index in 0..<80 { XCTAssertEqual(samples.mean[index], 0) }
    XCTAssertEqual(link[0].underruns.load(ordering: .relaxed), 0)
  }

  /// The delay has two parts. The interpolator has 16 taps and a delay of 16 samples. The reader
  /// also stays 2 ms behind the writer, which is 16 samples at 8 kHz.
  func test_read_atTheSameRate_returnsWrittenSamples32SamplesLater() {
    let link = OwnedRow(HostLink(sampleRate: 8_000))
    var reader = ReferenceReader(link.row, sampleRate: 8_000)
    var generator = SeededGenerator(seed: 121)
    let written = Signals.noise(count: 4_000, amplitude: 0.5, using: &generator)
    var read: [Float] = []
    for start in stride(from: 0, to: written.count, by: 80) {
      write(Array(written[start..<start + 80]), to: link)
      let samples = reader.read(80)
      for index in 0..<80 {
        read.append(samples.mean[index])
        XCTAssertEqual(samples.difference[index], -samples.mean[index])
      }
    }
    for index in 32..<4_000 { XCTAssertEqual(read[index], written[index - 32], "\(index)") }
    XCTAssertEqual(link[0].lag.load(ordering: .relaxed), 32)
  }

  /// After 1 s, the render thread is late once, by 50 ms. After that, the written samples are 50 ms
  /// too far ahead of the reader (the lead). The reported lag is 9 samples longer than the lead.
  func test_read_leadThatIsTooLong_isReducedTo4Milliseconds() throws {
    try XCTSkipIf(Signals.isSanitized, "ten minutes of sound take too long with a sanitizer")
    let link = OwnedRow(HostLink(sampleRate: 8_000))
    var reader = ReferenceReader(link.row, sampleRate: 8_000)
    for block in 0..<60_000 {
      let count = block == 105 ? 480 : 100..<105 ~= block ? 0 : 80
      if count > 0 { write(Signals.silence(count), to: link) }
      _ = reader.read(80)
      if block == 2_000 {
        XCTAssertGreaterThan(link[0].lag.load(ordering: .relaxed), 350)
      }
    }
    XCTAssertEqual(link[0].lag.load(ordering: .relaxed), 41, accuracy: 2)
  }

  /// The block lengths of the two threads have a large common factor. Therefore the pattern of
  /// writes and reads repeats, and after each repetition the distance between writer and reader is
  /// the same. In this case, the reader must keep its distance exactly. If the reader changed its
  /// distance all the time, the echo path would also change.
  func test_read_blocksOfDifferentLengths_changesTheLagOnlyAtTheBeginning() {
    let link = OwnedRow(HostLink(sampleRate: 8_000))
    var reader = ReferenceReader(link.row, sampleRate: 8_000)
    let written = Signals.noise(count: 256 * 600, seed: 125)
    var (done, read): (Int, [Float]) = (0, [])
    while read.count + 256 < written.count {
      while done < read.count + 80 {
        write(Array(written[done..<done + 256]), to: link)
        done += 256
      }
      let samples = reader.read(80)
      for index in 0..<80 { read.append(samples.mean[index]) }
    }
    let lag = (0..<512).first { read[8_000] == written[8_000 - $0] } ?? 0
    print("lag \(lag) samples")
    XCTAssertEqual(read[8_000...], written[(8_000 - lag)..<(read.count - lag)])
  }

  /// After 10 s, the capture thread loses samples, or delivers too many samples. 4 s later, the
  /// delay is again 32 samples. No clock drift is reported.
  func test_read_captureLosesSamples_skipsTheSameNumberOfSamples() {
    for lost in [160, 1_600] {
      let link = OwnedRow(HostLink(sampleRate: 8_000))
      var reader = ReferenceReader(link.row, sampleRate: 8_000)
      var generator = SeededGenerator(seed: 124)
      var written: [Float] = []
      var last: [Float] = []
      for block in 0..<1_500 {
        let noise = Signals.noise(count: 80, amplitude: 0.5, using: &generator)
        write(noise, to: link)
        written += noise
        if block >= 1_000 && block < 1_000 + lost / 80 { continue }
        let samples = reader.read(80)
        last = (0..<80).map { samples.mean[$0] }
      }
      for index in 0..<80 {
        XCTAssertEqual(last[index], written[written.count - 112 + index], "\(lost), \(index)")
      }
      XCTAssertEqual(link[0].drift.load(ordering: .relaxed), 0, accuracy: 1, "\(lost)")
    }
  }

  /// Reads 30 s of noise while the render clock is faster by 200 ppm. The frame number of the first
  /// written sample is `start`.
  private func read(from start: Int64) -> (samples: [Float], lag: Int64, drift: Float) {
    let link = OwnedRow(HostLink(sampleRate: 8_000))
    link[0].reset(position: start)
    var reader = ReferenceReader(link.row, sampleRate: 8_000)
    var generator = SeededGenerator(seed: 122)
    var read: [Float] = []
    for block in 1...3_000 {
      let extra = block % 62 == 0 ? 1 : 0
      write(Signals.noise(count: 80 + extra, amplitude: 0.5, using: &generator), to: link)
      let samples = reader.read(80)
      for index in 0..<80 {
        read.append(samples.mean[index])
        XCTAssertEqual(samples.difference[index], -samples.mean[index])
      }
    }
    XCTAssertEqual(link[0].overruns.load(ordering: .relaxed), 0)
    XCTAssertEqual(link[0].written.load(ordering: .relaxed), start + 240_048)
    return (read, link[0].lag.load(ordering: .relaxed), link[0].drift.load(ordering: .relaxed))
  }

  /// At 8 kHz, a stream that starts at frame 2³¹ − 1000 exceeds the range of a 32-bit integer after
  /// 0.1 s. At 48 kHz, a stream reaches frame 2³⁶ after 16 days. The reference starts at the same
  /// offset in the ring. Rounding differs at high frame numbers, so the reader interpolates at
  /// slightly different points.
  func test_read_fromAVeryHighPosition_returnsNearlyTheSameSamples() {
    let reference = read(from: 1 << 20 - 1_000)
    XCTAssertEqual(reference.drift, 200, accuracy: 20)
    for start: Int64 in [1 << 31 - 1_000, 1 << 36 - 1_000] {
      let late = read(from: start)
      XCTAssertEqual(late.lag, reference.lag, accuracy: 1, "from \(start)")
      XCTAssertEqual(late.drift, reference.drift, "from \(start)")
      let difference = zip(late.samples, reference.samples).map { abs($0 - $1) }.max() ?? 1
      print("from \(start): largest difference \(difference)")
      XCTAssertLessThan(difference, start > 1 << 32 ? 0.02 : 1e-3, "from \(start)")
    }
  }

  /// The render clock is faster by 403 ppm. The output must be a sine. For three consecutive
  /// samples of a sine, the sum of the first and the third is 2 cos(ω) times the second.
  func test_read_whileTheClocksDrift_interpolatesASineExactly() {
    let link = OwnedRow(HostLink(sampleRate: 8_000))
    var reader = ReferenceReader(link.row, sampleRate: 8_000)
    let sine = Signals.sine(100, rate: 8_000, count: 160_064, amplitude: 1)
    var (position, read) = (0, [Float]())
    for block in 1...2_000 {
      let count = block % 31 == 0 ? 81 : 80
      write(Array(sine[position..<position + count]), to: link)
      position += count
      let samples = reader.read(80)
      for index in 0..<80 { read.append(samples.mean[index]) }
    }
    XCTAssertEqual(link[0].drift.load(ordering: .relaxed), 403, accuracy: 20)
    let factor = 2 * Float(cos(2 * Double.pi * 100 / 8_000))
    for index in 80_000..<read.count - 1 {
      XCTAssertEqual(
        read[index - 1] + read[index + 1], factor * read[index], accuracy: 5e-4, "sample \(index)")
    }
  }

  /// From block 50 on, the loudspeakers play different signals. This change is in the middle of a
  /// read.
  func test_read_differenceThatBeginsLater_isReadFromItsFirstSample() {
    let link = OwnedRow(HostLink(sampleRate: 8_000))
    var reader = ReferenceReader(link.row, sampleRate: 8_000)
    var generator = SeededGenerator(seed: 123)
    for block in 0..<90 {
      let scale: Float = block < 50 ? 0 : 0.5
      write(Signals.noise(count: 80, using: &generator), scale: scale, to: link)
      let samples = reader.read(80)
      // The delay is 32 samples. Therefore the first 32 samples of block 50 still contain no
      // difference.
      for index in 0..<80 {
        let factor: Float = block * 80 + index < 4_032 ? 0 : 0.5
        XCTAssertEqual(
          samples.difference[index], factor * samples.mean[index], accuracy: 1e-9,
          "block \(block), \(index)")
      }
    }
  }

  func test_popDecisions_returnsTheDecisionsSinceTheLastCall_oldestFirst() {
    let link = OwnedRow(HostLink(sampleRate: 8_000))
    var reader = ReferenceReader(link.row, sampleRate: 8_000)
    func taken() -> [Bool] {
      let decisions = reader.popDecisions()
      return (0..<decisions.count).reversed().map { decisions.history >> $0 & 1 == 1 }
    }
    XCTAssertEqual(taken(), [])
    for isVoice in [true, false, false, true] { link[0].add(isFarVoice: isVoice) }
    XCTAssertEqual(taken(), [true, false, false, true])
    link[0].add(isFarVoice: true)
    XCTAssertEqual(taken(), [true])
    for _ in 0..<40 { link[0].add(isFarVoice: false) }
    XCTAssertEqual(taken(), Array(repeating: false, count: 32))
  }
}
