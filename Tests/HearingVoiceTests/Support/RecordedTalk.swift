import Foundation
import SignalTestSupport
import XCTest

/// A recorded talker at 16 kHz, for tests.
enum RecordedTalk {
  /// The recording, repeated without pauses. It has an RMS of about 0.05.
  static func samples(_ count: Int) throws -> [Float] {
    let url = try XCTUnwrap(
      Bundle.module.url(forResource: "recorded-speech", withExtension: "wav"))
    // The file has a header of 44 bytes, followed by 16-bit samples.
    let bytes = Array(try Data(contentsOf: url).dropFirst(44))
    let samples = stride(from: 0, to: bytes.count - 1, by: 2).map {
      Float(Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)) / 32_768
    }
    let power = samples.reduce(0) { $0 + $1 * $1 } / Float(samples.count)
    return (0..<count).map { samples[$0 % samples.count] * 0.05 / power.squareRoot() }
  }
}
