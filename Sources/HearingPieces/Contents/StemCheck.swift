internal import Foundation
internal import HearingAudio

/// Reads a WAV file from end to end, to know that others can.
enum StemCheck {
  private static let blockFrameCount = 4096

  /// Checks that the file is WAV, complete, not empty, and has no sample that is no number.
  ///
  /// - Parameter length: In microseconds, what the sound must last to within a frame; nil: any.
  /// - Throws: ``StemError``, or `CancellationError` once the task is cancelled.
  static func check(_ file: URL, length: Int64?) throws {
    let reader: WAVReader
    do {
      reader = try WAVReader(path: file.path)
    } catch {
      throw StemError.unreadable(error)
    }
    if let shortfall = reader.shortfall { throw StemError.truncated(shortfall) }
    guard let frameCount = reader.frameCount, frameCount > 0 else { throw StemError.empty }
    let rate = reader.format.sampleRate
    if let length { try check(frameCount: frameCount, rate: rate, length: length) }
    let block = AudioBlock(
      channelCount: reader.channelCount,
      capacity: max(1, blockFrameCount / reader.channelCount))
    repeat {
      try Task.checkCancellation()
      let start = reader.position
      do {
        try reader.read(into: block)
      } catch {
        throw StemError.unreadable(error)
      }
      for channel in 0..<block.channelCount {
        guard let frame = block[channel].firstIndex(where: { !$0.isFinite }) else { continue }
        throw StemError.notANumber(frame: start + frame, channel: channel)
      }
    } while block.frameCount > 0
  }

  private static func check(frameCount: Int, rate: Int, length: Int64) throws(StemError) {
    let found = PieceMetadata.microseconds(frameCount: frameCount, sampleRate: rate)
    let frame = PieceMetadata.microseconds(frameCount: 1, sampleRate: rate)
    guard found > length ? found - length <= frame + 1 : length - found <= frame + 1 else {
      throw .wrongLength(found, expected: length)
    }
  }
}
