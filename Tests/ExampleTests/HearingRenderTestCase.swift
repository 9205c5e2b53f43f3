import Foundation
import HearingAudio
import SignalTestSupport
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

  /// Writes a tone to a file. Each channel has its own amplitude.
  func writeTone(
    _ frequency: Double, amplitudes: [Double], rate: Int = 16_000, seconds: Double = 0.4,
    to path: String
  ) throws {
    let samples = amplitudes.map {
      Signals.tone(frequency, amplitude: $0, rate: Double(rate), seconds: seconds)
    }
    try write(samples, rate: rate, to: path)
  }

  /// The gain in dB from the input to the output, measured over the last fifth of both signals.
  func gain(from input: [Float], to output: [Float]) -> Double {
    Signals.rmsLevel(output.suffix(output.count / 5))
      - Signals.rmsLevel(input.suffix(input.count / 5))
  }

  /// Writes samples to a file. The first index of `samples` is the channel, and the second is the
  /// frame.
  func write(
    _ samples: [[Float]], rate: Int, encoding: SampleEncoding = .float32, to path: String
  ) throws {
    let format = WAVFormat(sampleRate: rate, channelCount: samples.count, encoding: encoding)
    try Data(WAVWriter.bytes(of: samples, format: format)).write(to: URL(fileURLWithPath: path))
  }
}
