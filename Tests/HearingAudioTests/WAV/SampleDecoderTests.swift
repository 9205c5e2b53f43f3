import XCTest

@testable import HearingAudio

final class SampleDecoderTests: XCTestCase {
  private func decode(_ bytes: [UInt8], _ encoding: SampleEncoding, channels: Int = 1) -> [[Float]]
  {
    let frames = bytes.count / encoding.byteCount / channels
    let block = AudioBlock(channelCount: channels, capacity: frames + 1)
    block.frameCount = frames + 1
    bytes.withUnsafeBytes {
      SampleDecoder(encoding: encoding, channelCount: channels)
        .decode($0, frameCount: frames, into: block.channels, from: 1)
    }
    XCTAssertEqual(block.samples.map { $0[0] }, [Float](repeating: 0, count: channels))
    return block.samples.map { Array($0.dropFirst()) }
  }

  func test_decode_minimumMaximumAndSmallestSteps_givesTheExactSamples() {
    let cases: [(bytes: [UInt8], encoding: SampleEncoding, samples: [Float])] = [
      ([0, 127, 128, 129, 255], .uint8, [-1, -0x1p-7, 0, 0x1p-7, 0x7Fp-7]),
      ([0, 0x80, 1, 0, 0xFF, 0x7F], .int16, [-1, 0x1p-15, 0x7FFFp-15]),
      (
        [0, 0, 0x80, 1, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F], .int24,
        [-1, 0x1p-23, -0x1p-23, 0x7FFFFFp-23]
      ),
      ([0, 0, 0, 0x80, 1, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0x7F], .int32, [-1, 0x1p-31, 1]),
      ([0, 0, 0xC0, 0xBF], .float32, [-1.5]),
      ([0, 0, 0, 0, 0, 0, 0xF8, 0xBF], .float64, [-1.5]),
    ]
    for (bytes, encoding, samples) in cases {
      XCTAssertEqual(decode(bytes, encoding), [samples], "\(encoding)")
    }
  }

  func test_channels_areDeinterleaved() {
    XCTAssertEqual(
      decode([128, 192, 64, 255, 128, 0], .uint8, channels: 3),
      [[0, 127 / 128], [0.5, 0], [-0.5, -1]])
  }
}
