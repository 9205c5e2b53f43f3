internal import Foundation
internal import HearingAudio

/// Checks a WAV file by reading the whole file.
enum WAVCheck {
  private static let blockFrameCount = 4096

  /// Checks that the file is a complete WAV file with at least one frame, and that all samples are
  /// finite.
  ///
  /// - Returns: The length of the audio in microseconds.
  /// - Throws: ``PieceContent/Invalid``, or `CancellationError` if the task is cancelled.
  static func length(of file: URL) throws -> Int64 {
    let reader: WAVReader
    do {
      reader = try WAVReader(path: file.path)
    } catch {
      throw PieceContent.Invalid.unreadable(error)
    }
    if let (expected, found) = reader.shortfall {
      throw PieceContent.Invalid.truncated(found: found, expected: expected)
    }
    guard let frameCount = reader.frameCount, frameCount > 0 else {
      throw PieceContent.Invalid.empty
    }
    let block = AudioBlock(
      channelCount: reader.channelCount,
      capacity: max(1, blockFrameCount / reader.channelCount))
    repeat {
      try Task.checkCancellation()
      let start = reader.position
      do {
        try reader.read(into: block)
      } catch {
        throw PieceContent.Invalid.unreadable(error)
      }
      for channel in 0..<block.channelCount {
        // Unsafe: the audio block exists until `firstIndex` returns, and contains all frames that
        // `firstIndex` reads.
        guard let frame = unsafe block[channel].firstIndex(where: { !$0.isFinite }) else {
          continue
        }
        throw PieceContent.Invalid.notANumber(frame: start + frame, channel: channel)
      }
    } while block.frameCount > 0
    return PieceMetadata.microseconds(
      frameCount: frameCount, sampleRate: reader.format.sampleRate)
  }
}
