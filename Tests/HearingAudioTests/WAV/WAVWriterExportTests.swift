import Foundation
import SignalTestSupport
import XCTest

@testable import HearingAudio

/// Writes files that `Tests/Scripts/check-wav-interoperability.py` reads with other programs.
/// Without the environment variable WAV_EXPORT_FOLDER, this test is skipped.
final class WAVWriterExportTests: XCTestCase {
  func test_write_everyFormat_createsOneFilePerFormatForOtherPrograms() throws {
    guard let folder = ProcessInfo.processInfo.environment["WAV_EXPORT_FOLDER"] else {
      throw XCTSkip("set WAV_EXPORT_FOLDER to write files for other programs")
    }
    for encoding in SampleEncoding.allCases {
      for channels in [1, 2, 3, 6, 8] {
        for frames in [0, 1, 999] {
          let format = WAVFormat(sampleRate: 48_000, channelCount: channels, encoding: encoding)
          let samples = (0..<channels).map {
            Signals.noise(count: frames, amplitude: 1, seed: UInt64($0 + 1))
          }
          let name = "\(encoding.rawValue)-\(channels)-\(frames)"
          let frames = (0..<frames).flatMap { frame in samples.map { $0[frame] } }
          try frames.withUnsafeBytes { Data($0) }
            .write(to: URL(fileURLWithPath: "\(folder)/\(name).f32"))
          for (kind, limit) in [("riff", Int.max), ("rf64", 0)] {
            let sink = try FileByteSink(replacing: "\(folder)/\(name)-\(kind).wav")
            let writer = WAVWriter(sink: sink, format: format, riffByteLimit: limit)
            try writer.write(samples)
            try writer.finish()
          }
        }
      }
    }
  }
}
