internal import Foundation
public import HearingAudio
internal import HearingFitting

/// An audio file of a piece. The format is recognised by the contents of the file.
struct SoundFile {
  let url: URL
  let format: PieceAudioFormat

  /// The number of bytes that ``format(of:)`` needs.
  static let headByteCount = 64

  /// The format of a file that starts with these bytes. Bytes of an unknown format count as WAV.
  /// The WAV reader then reports what is wrong.
  static func format(of head: [UInt8]) -> PieceAudioFormat {
    if head.starts(with: "OggS".utf8) { return .oggVorbis }
    if head.dropFirst(4).starts(with: "ftyp".utf8) { return .aac }
    return .wav
  }

  /// Checks that the file is complete and contains audio.
  ///
  /// - Returns: The length in microseconds. Nil if the file does not state its length.
  /// - Throws: ``StemError``, or `CancellationError` if the task is cancelled.
  func check() throws -> Int64? {
    switch format {
    case .oggVorbis: try OggVorbisFile.length(of: try open())
    case .aac: try M4AFile.length(of: try open())
    default: try WAVCheck.length(of: url)
    }
  }

  private func open() throws(StemError) -> FileByteSource {
    do {
      return try FileByteSource(path: url.path)
    } catch {
      throw .unreadable(.file(FileAccessError(error)))
    }
  }
}

/// The reason why a file cannot be a mix stem or a preview.
public enum StemError: Error, Sendable, Equatable {
  /// The file cannot be read as WAV.
  case unreadable(WAVReadError)
  /// The Ogg or M4A file violates its format at an offset in bytes, or its codec is not Vorbis or
  /// AAC.
  case malformed(PieceAudioFormat, offset: Int, reason: String)
  /// The audio has fewer frames than its header states.
  case truncated(found: Int, expected: Int)
  /// The file contains no audio.
  case empty
  /// The length differs from the length in the metadata by more than a millisecond. Both lengths
  /// are in microseconds.
  case wrongLength(Int64, expected: Int64)
  /// A sample is infinite or NaN.
  case notANumber(frame: Int, channel: Int)
}

extension StemError {
  /// The maximum difference from the length in the metadata, in microseconds.
  static let lengthTolerance: Int64 = 1_000

  /// Compares a length with the length in the metadata. Both are in microseconds.
  static func check(_ length: Int64, expected: Int64) throws(StemError) {
    let (difference, isTooLarge) = length.subtractingReportingOverflow(expected)
    guard !isTooLarge, difference.magnitude <= UInt64(lengthTolerance) else {
      throw .wrongLength(length, expected: expected)
    }
  }
}

extension StemError: CustomStringConvertible {
  /// One line that says what is wrong and where.
  public var description: String {
    switch self {
    case .unreadable(let error): error.description
    case .malformed(let format, let offset, let reason):
      "\(format.rawValue), byte \(offset): \(reason)"
    case .truncated(let found, let expected):
      WAVReader.shortfallText(expected: expected, found: found)
    case .empty: "the file contains no sound"
    case .wrongLength(let found, let expected):
      "the length is \(found) µs, the metadata state \(expected) µs"
    case .notANumber(let frame, let channel):
      "frame \(frame) of channel \(channel) is infinite or NaN"
    }
  }
}
