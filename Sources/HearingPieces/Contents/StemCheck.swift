internal import Foundation
public import HearingAudio

/// Reads a whole WAV file to check it.
enum StemCheck {
  private static let blockFrameCount = 4096

  /// Checks that the file is a complete WAV file, that it is not empty, and that all samples are
  /// finite.
  ///
  /// - Parameter length: The expected length in microseconds, with a tolerance of one frame. Nil
  ///   accepts any length.
  /// - Throws: ``StemError``, or `CancellationError` if the task is cancelled.
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
        // Unsafe: the block stays alive during the call and contains all of the frames.
        guard let frame = unsafe block[channel].firstIndex(where: { !$0.isFinite }) else {
          continue
        }
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

/// Why a file cannot be a mix stem or a preview.
public enum StemError: Error, Sendable, Equatable {
  /// The file cannot be read as WAV.
  case unreadable(WAVReadError)
  /// The sound is shorter than its header states.
  case truncated(WAVReader.Shortfall)
  /// The file contains no sound.
  case empty
  /// The length in microseconds differs from that of the metadata by more than a frame.
  case wrongLength(Int64, expected: Int64)
  /// A sample is infinite or NaN.
  case notANumber(frame: Int, channel: Int)
}

extension StemError: CustomStringConvertible {
  /// One line: what is wrong and where.
  public var description: String {
    switch self {
    case .unreadable(let error): error.description
    case .truncated(let shortfall): shortfall.description
    case .empty: "the file contains no sound"
    case .wrongLength(let found, let expected):
      "the length is \(found) µs, the metadata state \(expected) µs"
    case .notANumber(let frame, let channel):
      "frame \(frame) of channel \(channel) is infinite or NaN"
    }
  }
}
