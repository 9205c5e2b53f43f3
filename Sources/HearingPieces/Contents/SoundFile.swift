internal import Foundation
internal import HearingAudio
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
  /// The maximum difference from the length in the metadata, in microseconds.
  static let lengthTolerance: Int64 = 1_000

  /// Compares a length with the length in the metadata. Both are in microseconds.
  static func check(_ length: Int64, expected: Int64) throws(PieceContent.Invalid) {
    let (difference, isTooLarge) = length.subtractingReportingOverflow(expected)
    guard !isTooLarge, difference.magnitude <= UInt64(lengthTolerance) else {
      throw .wrongLength(length, expected: expected)
    }
  }
}
