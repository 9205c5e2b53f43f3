import Foundation
import HearingAudio
import HearingDSP

/// Prints what the voice activity detector says about a file: a line of 0 and 1, one for each 10 ms
/// of its first channel.
enum VoiceDecisions {
  static func print(path: String) throws {
    let reader = try WAVReader(path: path)
    let samples = try reader.readSamples()[0]
    var detector = try VoiceActivityDetector(sampleRate: reader.sampleRate)
    var line: [UInt8] = []
    samples.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      detector.process(base, frameCount: buffer.count) {
        line.append(UInt8(ascii: $0.isVoice ? "1" : "0"))
      }
    }
    Swift.print(String(decoding: line, as: UTF8.self))
  }
}
