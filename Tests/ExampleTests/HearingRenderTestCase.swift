import Foundation
import HearingAudio
import TestSupport
import XCTest

/// Runs `hearing-render` and writes its input.
class HearingRenderTestCase: XCTestCase {
  private let tool = try? BuiltExecutable("hearing-render")

  func run(
    _ arguments: [String], in folder: ScratchFolder, input: String? = nil
  ) throws -> BuiltExecutable.Outcome {
    try XCTUnwrap(tool).run(
      arguments, in: folder.url,
      input: try input.map { try Data(contentsOf: folder.url.appendingPathComponent($0)) } ?? Data()
    )
  }

  /// Writes a tone to a file, with an amplitude for each channel.
  func writeTone(
    _ frequency: Double, amplitudes: [Double], rate: Int = 16_000, seconds: Double = 0.4,
    to path: String
  ) throws {
    let frameCount = Int(Double(rate) * seconds)
    let samples = amplitudes.map { amplitude in
      (0..<frameCount).map { frame in
        Float(amplitude * sin(2 * .pi * frequency * Double(frame) / Double(rate)))
      }
    }
    try write(samples, rate: rate, to: path)
  }

  /// The gain in dB between the last fifths of two signals.
  func gain(from input: [Float], to output: [Float]) -> Double {
    func power(_ samples: [Float]) -> Double {
      samples.suffix(samples.count / 5).reduce(0) { $0 + Double($1) * Double($1) }
    }
    return 10 * log10(power(output) / power(input))
  }

  /// Writes samples, `[channel][frame]`, to a file.
  func write(
    _ samples: [[Float]], rate: Int, encoding: SampleEncoding = .float32, to path: String
  ) throws {
    let format = WAVFormat(sampleRate: rate, channelCount: samples.count, encoding: encoding)
    try Data(WAVWriter.bytes(of: samples, format: format)).write(to: URL(fileURLWithPath: path))
  }
}
