import SignalTestSupport
import TestSupport
import XCTest

@testable import HearingAudio

final class SampleEncoderTests: XCTestCase {
  /// Encodes one channel. Decodes the little-endian bytes and returns the integers and the number
  /// of clipped samples.
  private func integers(_ samples: [Float], _ encoding: SampleEncoding) -> (
    values: [Int], clipped: Int
  ) {
    let block = AudioBlock([samples])
    let width = encoding.bitsPerSample / 8
    var bytes = [UInt8](repeating: 0, count: samples.count * width)
    var encoder = SampleEncoder(encoding: encoding, channelCount: 1, gain: 1)
    bytes.withUnsafeMutableBytes {
      encoder.encode(block.channels, from: 0, frameCount: samples.count, into: $0)
    }
    let values = samples.indices.map { index in
      let raw = (0..<width).reduce(UInt64(0)) { $0 | UInt64(bytes[index * width + $1]) << (8 * $1) }
      if encoding == .uint8 { return Int(raw) - 128 }
      return Int(Int64(bitPattern: raw << UInt64(64 - 8 * width)) >> Int64(64 - 8 * width))
    }
    return (values, encoder.clippedSampleCount)
  }

  func test_integers_areRoundedToNearest_withTiesToEven() {
    let steps: [Float] = [0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 0.49, 0.51, -0.51, 3]
    let expected = [0, 2, 2, 0, -2, -2, 0, 1, -1, 3]
    for encoding in [SampleEncoding.uint8, .int16, .int24] {
      let scale = Float(1 << (encoding.bitsPerSample - 1))
      XCTAssertEqual(integers(steps.map { $0 / scale }, encoding).values, expected)
    }
  }

  func test_integers_beyondTheirRange_areClippedAndCounted() {
    for encoding in [SampleEncoding.uint8, .int16, .int24] {
      let scale = Float(1 << (encoding.bitsPerSample - 1))
      let largest = Int(scale) - 1
      let samples = [largest, largest + 1, -largest - 1, -largest - 2].map { Float($0) / scale }
      let result = integers(samples, encoding)
      XCTAssertEqual(result.values, [largest, largest, -largest - 1, -largest - 1], "\(encoding)")
      XCTAssertEqual(result.clipped, 2, "\(encoding)")
    }
    let result = integers([1, -1, 0x1.fffffep-1, .greatestFiniteMagnitude], .int32)
    XCTAssertEqual(
      result.values, [Int(Int32.max), Int(Int32.min), 2_147_483_520, Int(Int32.max)])
    XCTAssertEqual(result.clipped, 2)
  }

  func test_integers_halfAStepBeyondTheRange_isClippedAtTheMaximum_butRoundedAtTheMinimum() {
    for encoding in [SampleEncoding.uint8, .int16] {
      let scale = Float(1 << (encoding.bitsPerSample - 1))
      let result = integers([(scale - 0.5) / scale, (-scale - 0.5) / scale], encoding)
      XCTAssertEqual(result.values, [Int(scale) - 1, -Int(scale)])
      XCTAssertEqual(result.clipped, 1, "half a step below the lowest integer rounds to it")
    }
  }

  func test_integers_anyNaN_becomesZero_andIsNotCountedAsClipped() {
    let samples = [0x7FC0_0000, 0x7FFF_FFFF, 0xFFC0_1235, 0x7F80_0001].map {
      Float(bitPattern: $0)
    }
    for encoding in [SampleEncoding.uint8, .int16, .int24, .int32] {
      let result = integers(samples, encoding)
      XCTAssertEqual(result.values, [0, 0, 0, 0], "\(encoding)")
      XCTAssertEqual(result.clipped, 0)
    }
  }

  func test_integers_ofRandomSamples_agreeWithAReferenceInDoublePrecision() {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    let samples = Signals.noise(count: 20_000, amplitude: 1, seed: seed).map { $0 * 1.2 }
    for encoding in [SampleEncoding.uint8, .int16, .int24, .int32] {
      let scale = Double(1 << (encoding.bitsPerSample - 1))
      let exact = samples.map { (Double($0) * scale).rounded(.toNearestOrEven) }
      let result = integers(samples, encoding)
      XCTAssertTrue(
        result.values == exact.map { Int(min(max($0, -scale), scale - 1)) }, "seed \(seed)")
      XCTAssertEqual(
        result.clipped, exact.count { $0 < -scale || $0 > scale - 1 }, "\(encoding), seed \(seed)")
    }
  }
}
