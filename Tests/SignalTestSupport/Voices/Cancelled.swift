package import HearingVoice

/// A scene with echo, and the output of an echo canceller for this scene.
package struct Cancelled {
  package let scene: EchoScene
  package var output: [Float]

  /// The echo return loss enhancement (ERLE) in dB between two times in seconds. It is the ratio of
  /// the echo power to the power of the residual echo.
  package func enhancement(_ start: Double, _ end: Double) -> Double {
    let frames = Int(start * scene.rate)..<Int(end * scene.rate)
    let left = frames.map { output[$0] - scene.near[$0] - scene.noise[$0] }
    return Signals.decibels(
      (Signals.power(scene.echo[frames]) / Signals.power(left)).squareRoot())
  }
}

extension EchoScene {
  /// Processes the scene with an echo canceller. The lengths of the blocks are the elements of
  /// `blocks`, in repeating order.
  package func cancelled(
    by canceller: inout EchoCanceller, blocks: [Int] = [160]
  ) -> Cancelled {
    var result = Cancelled(scene: self, output: microphone)
    canceller.cancel(&result.output, reference: far, blocks: blocks)
    return result
  }
}

extension EchoCanceller {
  /// Processes a complete microphone signal and overwrites it.
  package mutating func cancel(
    _ microphone: inout [Float], reference: [Float], blocks: [Int] = [160]
  ) {
    inBlocks(&microphone, blocks) { canceller, samples, range in
      reference[range].withUnsafeBufferPointer { played in
        guard let played = played.baseAddress else { return }
        canceller.process(samples, reference: played, frameCount: range.count)
      }
    }
  }

  /// Processes a complete microphone signal and overwrites it. There are two loudspeakers.
  package mutating func cancel(
    _ microphone: inout [Float], left: [Float], right: [Float], blocks: [Int] = [160]
  ) {
    inBlocks(&microphone, blocks) { canceller, samples, range in
      left[range].withUnsafeBufferPointer { left in
        right[range].withUnsafeBufferPointer { right in
          guard let left = left.baseAddress, let right = right.baseAddress else { return }
          canceller.process(samples, left: left, right: right, frameCount: range.count)
        }
      }
    }
  }

  private mutating func inBlocks(
    _ microphone: inout [Float], _ blocks: [Int],
    process: (inout EchoCanceller, UnsafeMutablePointer<Float>, Range<Int>) -> Void
  ) {
    microphone.withUnsafeMutableBufferPointer { samples in
      guard let start = samples.baseAddress else { return }
      var done = 0
      var turn = 0
      while done < samples.count {
        let count = min(blocks[turn % blocks.count], samples.count - done)
        turn += 1
        process(&self, start + done, done..<done + count)
        done += count
      }
    }
  }
}
