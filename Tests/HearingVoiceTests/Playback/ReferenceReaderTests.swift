import HearingBuffers
import SignalTestSupport
import TestSupport
import XCTest

@testable import HearingVoice

final class ReferenceReaderTests: XCTestCase {
  private func write(_ samples: [Float], to link: HostLink) {
    samples.withUnsafeBufferPointer { buffer in
      let base = buffer.row
      link.write(base, count: samples.count)
    }
  }

  func test_read_beforeAnythingWasWritten_isSilence() {
    let link = HostLink(sampleRate: 8_000)
    var reader = ReferenceReader(link, sampleRate: 8_000, capacity: 84)
    let samples = reader.read(80)
    for index in 0..<80 { XCTAssertEqual(samples[index], 0) }
    XCTAssertEqual(link.underruns, 0)
  }

  func test_read_atTheSameRate_returnsWrittenSamplesAFewSamplesLater() {
    let link = HostLink(sampleRate: 8_000)
    var reader = ReferenceReader(link, sampleRate: 8_000, capacity: 84)
    var generator = SeededGenerator(seed: 121)
    let written = Signals.noise(count: 4_000, amplitude: 0.5, using: &generator)
    var read: [Float] = []
    for start in stride(from: 0, to: written.count, by: 80) {
      write(Array(written[start..<start + 80]), to: link)
      let samples = reader.read(80)
      for index in 0..<80 { read.append(samples[index]) }
    }
    // The interpolator has 16 taps, so its delay is 16 samples.
    for index in 16..<4_000 { XCTAssertEqual(read[index], written[index - 16], "\(index)") }
    XCTAssertEqual(link.lag, 16)
  }

  func test_popDecisions_returnsThoseSinceTheLastCall_oldestFirst() {
    let link = HostLink(sampleRate: 8_000)
    var reader = ReferenceReader(link, sampleRate: 8_000, capacity: 84)
    func taken() -> [Bool] {
      let decisions = reader.popDecisions()
      return (0..<decisions.count).map(decisions.isVoice)
    }
    XCTAssertEqual(taken(), [])
    for isVoice in [true, false, false, true] { link.add(isFarVoice: isVoice) }
    XCTAssertEqual(taken(), [true, false, false, true])
    link.add(isFarVoice: true)
    XCTAssertEqual(taken(), [true])
    for _ in 0..<40 { link.add(isFarVoice: false) }
    XCTAssertEqual(taken(), Array(repeating: false, count: 32))
  }
}
