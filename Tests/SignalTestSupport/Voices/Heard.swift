package import HearingVoice

/// Runs a voice detector on test signals and computes the score of its decisions.
package enum Heard {
  package typealias Decision = VoiceActivityDetector.Decision

  /// The decisions of a new detector for `samples`. The lengths of the blocks are the elements of
  /// `blocks`, in repeating order.
  package static func decisions(
    on samples: [Float], rate: Double, blocks: [Int] = [480]
  ) throws -> [Decision] {
    var detector = try VoiceActivityDetector(sampleRate: rate)
    return decisions(on: samples, by: &detector, blocks: blocks)
  }

  package static func decisions(
    on samples: [Float], by detector: inout VoiceActivityDetector, blocks: [Int] = [480]
  ) -> [Decision] {
    var result: [Decision] = []
    samples.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      var done = 0
      var turn = 0
      while done < samples.count {
        let count = min(blocks[turn % blocks.count], samples.count - done)
        detector.process(base + done, frameCount: count) { result.append($0) }
        done += count
        turn += 1
      }
    }
    return result
  }

  /// The F1 score of the decisions, 0…1. It is the harmonic mean of precision and recall.
  package static func f1(_ decisions: [Decision], truth: [Bool]) -> Double {
    var hits = 0
    var errors = 0
    for (decision, voice) in zip(decisions, truth) {
      if decision.isVoice && voice { hits += 1 } else if decision.isVoice != voice { errors += 1 }
    }
    return 2 * Double(hits) / Double(max(1, 2 * hits + errors))
  }

  /// The number of times that talk starts, according to the decisions.
  package static func starts(in decisions: [Decision]) -> Int {
    var state = VoiceState()
    return decisions.count { state.add(isVoice: $0.isVoice) == .started }
  }

  /// Mixes talk and noise. `talk` must have an RMS of 0.1, and `noise` must have an RMS of 1.
  ///
  /// - Parameters:
  ///   - ratio: The level difference between talk and noise in dB.
  ///   - level: The level of the talk in dB SPL. An RMS of 1 represents 100 dB SPL.
  package static func mixed(_ talk: [Float], _ noise: [Float], ratio: Double, level: Float)
    -> [Float]
  {
    let noiseScale = Float(1 / Signals.amplitude(decibels: ratio))
    let gain = Float(Signals.amplitude(decibels: Double(level) - 100))
    return zip(talk, noise).map { (10 * $0 + noiseScale * $1) * gain }
  }
}
