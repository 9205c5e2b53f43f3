import HearingBuffers

@testable import HearingDSP

/// Processes samples with a single stage of the processor. As in the processor, the samples are
/// divided into runs of consecutive frames.
final class StageBench {
  let shape: ProcessorShape
  private let memory: RunMemory
  private let limits: OwnedRow<ChannelLimits>

  /// The processor state that is passed to the stage in every run.
  var fade = CrossFade(length: 480, isOn: true)
  var flat = ChannelSet()
  var ramp = RampShape.none
  var rampLength = 1

  /// If true, the stage writes to the buffers of the host. If false, it writes to the internal
  /// buffers, which are called work rows.
  var isDirect = false

  /// The channels that the stage did not change in the last run.
  private(set) var unchanged = ChannelSet()
  private(set) var broken = ChannelSet()
  /// The number of processed frames.
  private(set) var position: Int64 = 0

  init(channels: Int, bands: Int = 1) {
    shape = ProcessorShape(channelCount: channels, bandCount: bands)
    memory = RunMemory(shape: shape)
    limits = .filled(ChannelLimits(), count: channels)
  }

  func set(_ channel: Int, _ change: (inout ChannelLimits) -> Void) {
    change(&limits[channel])
  }

  func meter(_ channel: Int) -> ChannelMeter { memory.meters[channel] }

  func peak(_ channel: Int) -> Float { memory.peaks[channel] }

  /// Divides `channels` into runs and calls `body` for each run. The lengths of the runs are the
  /// elements of `runs`, in repeating order. Before each run, the work rows contain the input.
  /// Returns the work rows and the host's samples of all runs.
  func run(
    _ channels: [[Float]], runs: [Int] = [256], stride: Int = 1,
    _ body: (inout RenderRun) -> Void
  ) -> (work: [[Float]], host: [[Float]]) {
    let total = channels[0].count
    var work = channels
    let block = OwnedRow<Float>.filled(0, count: RenderTiming.chunk * 8 * stride)
    var host = channels
    var (done, turn) = (0, 0)
    while done < total {
      let count = min(runs[turn % runs.count], total - done)
      turn += 1
      for channel in channels.indices {
        memory.host[channel] = block.from(channel * RenderTiming.chunk * stride)
        let row = memory.work.from(channel * RenderTiming.chunk)
        memory.targets[channel] = isDirect ? memory.host[channel] : row
        for index in 0..<count {
          memory.host[channel][index * stride] = channels[channel][done + index]
          row[index] = channels[channel][done + index]
        }
      }
      var run = RenderRun(
        host: memory.host.row, start: 0, stride: stride, work: memory.work.row,
        ratios: memory.ratios.row, targets: memory.targets.row, peaks: memory.peaks.row,
        meters: memory.meters.row,
        limits: limits.row, count: count, position: position, ramp: ramp,
        rampLength: rampLength, rampOffset: Int(position) % rampLength, flat: flat, fade: fade,
        unchanged: memory.allChannels)
      body(&run)
      (unchanged, broken) = (run.unchanged, run.broken)
      for channel in channels.indices {
        for index in 0..<count {
          work[channel][done + index] = memory.work[channel * RenderTiming.chunk + index]
          host[channel][done + index] = memory.host[channel][index * stride]
        }
      }
      position += Int64(count)
      done += count
      fade.advance(count)
    }
    return (work, host)
  }
}
