import ExampleSupport
import HearingAudio

/// One of the sounds that go out: a file that appears when it is complete.
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

  /// Appends what is in the block.
  func write() throws(CommandFailure) {
    do { try writer.write(block) } catch { throw CommandFailure(error, writing: path) }
  }

  /// Puts the file in its place.
  func finish() throws(CommandFailure) {
    do { try writer.finish() } catch { throw CommandFailure(error, writing: path) }
  }
}
