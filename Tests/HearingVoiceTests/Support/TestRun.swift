import HearingBuffers

import HearingDSP
import SignalTestSupport

@testable import HearingVoice

/// Renders arrays with one stage of the uplink. The samples are divided into runs, as in a call.
enum TestRun {
  /// The microphone signal after the stage. The lengths of the runs are the elements of `runs`, in
  /// repeating order.
  ///
  /// - Parameters:
  ///   - reference: The signal of the left loudspeaker.
  ///   - right: The signal of the right loudspeaker, or nil if both loudspeakers play the same
  ///     signal.
  ///   - prepare: Sets the properties of each run. Its first argument is the first frame of the run.
  static func rendered<Stage: RenderStage & ~Copyable>(
    _ microphone: [Float], reference: [Float]? = nil, right: [Float]? = nil,
    through stage: inout Stage,
    runs: [Int] = [160], prepare: (Int, inout UplinkRun) -> Void = { _, _ in }
  ) -> (samples: [Float], runs: [UplinkRun]) where Stage.Run == UplinkRun {
    var samples = microphone
    var done: [UplinkRun] = []
    let memory = OwnedRow<Float>.filled(0, count: PlaybackRows.memorySize)
    samples.withUnsafeMutableBufferPointer { samples in
      let samples = samples.row
      var start = 0
      while start < microphone.count {
        let count = min(runs[done.count % runs.count], microphone.count - start)
        let played = PlaybackRows(memory.row)
        if let reference {
          played.mean.write(reference[start..<start + count])
          played.difference.write((right ?? reference)[start..<start + count])
          played.set(left: played.mean, right: played.difference, count: count)
        }
        var run = UplinkRun(
          samples: samples.from(start), reference: played, frameCount: count)
        prepare(start, &run)
        stage.process(&run)
        done.append(run)
        start += count
      }
    }
    return (samples, done)
  }
}
