import Foundation
import HearingAudio
@_spi(Measuring) import HearingDSP
@_spi(Measuring) import HearingVoice

/// Prints the decisions of the voice activity detector for files.
enum VoiceDecisions {
  /// Prints one line with a digit for each 10 ms of the first channel: 1 for voice, otherwise 0.
  static func print(path: String) throws {
    var line: [UInt8] = []
    try decide(path: path) { _, decision in
      line.append(UInt8(ascii: decision.isVoice ? "1" : "0"))
    }
    Swift.print(String(decoding: line, as: UTF8.self))
  }

  /// Writes the features of each decision to a file next to the sound file. The features are 32-bit
  /// floating-point numbers.
  static func writeFeatures(path: String) throws {
    var data = Data()
    try decide(path: path) { features, _ in
      features.withUnsafeBytes { data.append(contentsOf: $0) }
    }
    try data.write(to: URL(fileURLWithPath: path + ".features"))
  }

  private static func decide(
    path: String, each: ([Float], VoiceActivityDetector.Decision) -> Void
  ) throws {
    let reader = try WAVReader(path: path)
    let samples = try reader.readSamples()[0]
    var detector = try VoiceActivityDetector(sampleRate: reader.sampleRate)
    let block = 80
    samples.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      var done = 0
      while done < buffer.count {
        let count = min(block, buffer.count - done)
        var decision: VoiceActivityDetector.Decision?
        detector.process(base + done, frameCount: count) { decision = $0 }
        if let decision { each(detector.features(), decision) }
        done += count
      }
    }
  }
}
