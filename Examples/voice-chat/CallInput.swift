import ExampleSupport
import HearingAudio

/// One of the sounds that come in: a file, and silence after its end.
struct CallInput {
  let path: String
  let reader: WAVReader
  private let source: AudioBlock
  /// What was read, in as many channels as the call needs.
  let block: AudioBlock

  /// Opens a file of up to `channelLimit` channels for a call that needs `channelCount` of them.
  init(
    _ path: String, channelCount: Int?, channelLimit: Int, capacity: Int
  ) throws(CommandFailure) {
    self.path = path
    do {
      reader = try WAVReader(path: path)
    } catch {
      throw CommandFailure(error, reading: path)
    }
    guard reader.channelCount <= channelLimit else {
      throw .badData(
        place: path, reason: "\(reader.channelCount) channels: mono and stereo can be played")
    }
    source = AudioBlock(channelCount: reader.channelCount, capacity: capacity)
    block = AudioBlock(channelCount: channelCount ?? reader.channelCount, capacity: capacity)
  }

  /// Reads up to `frameCount` frames into `block` and fills it up with silence.
  ///
  /// - Returns: How many frames there were.
  func read(_ frameCount: Int) throws(CommandFailure) -> Int {
    let count: Int
    do {
      count = try reader.read(into: source.channels, frameCount: frameCount)
    } catch {
      throw CommandFailure(error, reading: path)
    }
    for channel in 0..<block.channelCount {
      let row = source.channels[min(channel, source.channelCount - 1)]
      block.channels[channel].update(from: row, count: count)
      (block.channels[channel] + count).update(repeating: 0, count: frameCount - count)
    }
    return count
  }
}
