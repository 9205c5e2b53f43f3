internal import Foundation
internal import HearingAudio
internal import HearingFitting

/// An audio file of a piece.
struct SoundFile {
  let url: URL
  let format: PieceAudioFormat

  /// The number of bytes from the start of a file that ``format(of:)`` needs.
  static let headByteCount = 64

  /// The format of a file whose first bytes are `head`. If the format is unknown, the result is
  /// WAV. When the WAV reader later opens such a file, the reader reports the error.
  static func format(of head: [UInt8]) -> PieceAudioFormat {
    if head.starts(with: "OggS".utf8) { return .oggVorbis }
    if head.dropFirst(4).starts(with: "ftyp".utf8) { return .aac }
    return .wav
  }

  /// Checks that the audio file is complete and contains audio.
  ///
  /// - Returns: The length of the audio in microseconds, or nil if the file does not contain the
  ///   length.
  /// - Throws: ``PieceContent/Invalid``, or `CancellationError` if the task is cancelled.
  func check() throws -> Int64? {
    switch format {
    case .oggVorbis: try OggVorbisFile.length(of: try open())
    case .aac: try M4AFile.length(of: try open())
    default: try WAVCheck.length(of: url)
    }
  }

  private func open() throws(PieceContent.Invalid) -> FileByteSource {
    do {
      return try FileByteSource(path: url.path)
    } catch {
      throw .unreadable(.file(FileAccessError(error)))
    }
  }
}

extension PieceContent.Invalid {
  /// The maximum difference in microseconds between the length of the audio and the length in the
  /// metadata.
  static let lengthTolerance: Int64 = 1_000

  /// Throws an error if the length of the audio differs from the length in the metadata by more
  /// than ``lengthTolerance``. Both lengths are in microseconds.
  static func check(_ length: Int64, expected: Int64) throws(PieceContent.Invalid) {
    let (difference, isTooLarge) = length.subtractingReportingOverflow(expected)
    guard !isTooLarge, difference.magnitude <= UInt64(lengthTolerance) else {
      throw .wrongLength(length, expected: expected)
    }
  }
}
