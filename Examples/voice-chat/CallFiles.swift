import ExampleSupport
import HearingAudio

/// An input file. After its end, it delivers silence.
struct CallInput {
  let path: String
  let reader: WAVReader
  private let source: AudioBlock
  /// The frames that were read last. The block has as many channels as the call needs.
  let block: AudioBlock

  /// Opens a file that has at most `channelLimit` channels.
  ///
  /// - Parameter channelCount: The number of channels of ``block``; nil for as many as the file
  ///   has.
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
        input: path, reason: "\(reader.channelCount) channels: mono and stereo can be played")
    }
    source = AudioBlock(channelCount: reader.channelCount, capacity: capacity)
    block = AudioBlock(channelCount: channelCount ?? reader.channelCount, capacity: capacity)
  }

  /// Reads up to `frameCount` frames into ``block``, and fills the remaining frames with silence.
  ///
  /// - Returns: The number of frames read.
  func read(_ frameCount: Int) throws(CommandFailure) -> Int {
    let count: Int
    do {
      count = try unsafe reader.read(into: source.channels, frameCount: frameCount)
    } catch {
      throw CommandFailure(error, reading: path)
    }
    for channel in 0..<block.channelCount {
      let row = unsafe source.channels[min(channel, source.channelCount - 1)]
      unsafe block.channels[channel].update(from: row, count: count)
      unsafe (block.channels[channel] + count).update(repeating: 0, count: frameCount - count)
    }
    return count
  }
}

/// An output file. It is moved to its path when it is complete.
struct CallOutput {
  let path: String
  let block: AudioBlock
  private let writer: WAVWriter

  init(
    _ path: String, channelCount: Int, sampleRate: Int, capacity: Int
  ) throws(CommandFailure) {
    self.path = path
    block = AudioBlock(channelCount: channelCount, capacity: capacity)
    do {
      writer = try WAVWriter(
        path: path,
        format: WAVFormat(
          sampleRate: sampleRate, channelCount: channelCount, encoding: .float32))
    } catch {
      throw CommandFailure(error, writing: path)
    }
  }

  /// Appends the samples of ``block`` to the file.
  func write() throws(CommandFailure) {
    do { try writer.write(block) } catch { throw CommandFailure(error, writing: path) }
  }

  /// Completes the file.
  func finish() throws(CommandFailure) {
    do { try writer.finish() } catch { throw CommandFailure(error, writing: path) }
  }
}
