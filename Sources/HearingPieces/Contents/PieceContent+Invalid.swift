public import HearingAudio
internal import HearingFitting

extension PieceContent {
  /// The reason why a part of a piece has invalid content.
  public enum Invalid: Error, Sendable, Equatable {
    /// The content has more than `limit` bytes.
    case tooLarge(byteCount: Int64, limit: Int)
    /// The audio file cannot be read as WAV.
    case unreadable(WAVReadError)
    /// An Ogg file or an M4A file is malformed, or has an unsupported codec. An Ogg file must
    /// contain Vorbis, and an M4A file must contain AAC. `offset` is the distance in bytes from the
    /// start of the file to the problem.
    case malformed(PieceAudioFormat, offset: Int, reason: String)
    /// The audio file contains fewer frames than its header states.
    case truncated(found: Int, expected: Int)
    /// The audio file contains no audio.
    case empty
    /// The length of the audio differs from the length in the metadata by more than a millisecond.
    /// Both lengths are in microseconds.
    case wrongLength(Int64, expected: Int64)
    /// The audio file does not contain its length, so the length was not compared with the
    /// metadata. In spite of this problem, the piece is added to the library. The problem is
    /// reported to ``PieceRenderer/dropWarning``.
    case lengthNotStated(PieceAudioFormat)
    /// A sample is infinite or NaN.
    case notANumber(frame: Int, channel: Int)
    /// The cover image does not begin with the signature of a PNG or JPEG file.
    case notAnImage
    /// The width or the height of the cover image differs from ``PieceContent/coverSide`` pixels.
    /// The associated values are in pixels.
    case wrongSize(width: Int, height: Int)
    /// The file of the cover image ends before the image is complete. `offset` is the length of the
    /// file in bytes.
    case truncatedImage(offset: Int)
    /// The cover image is malformed. `offset` is the distance in bytes from the start of the image
    /// to the problem.
    case malformedImage(offset: Int, reason: String)
    /// The text is not a media type. A media type consists of a type, a slash and a subtype.
    case notAMediaType(String)
  }
}

extension PieceContent.Invalid: CustomStringConvertible {
  /// The problem in one line, with the position of the problem if the position is known.
  public var description: String {
    switch self {
    case .tooLarge(let byteCount, let limit): "\(byteCount) bytes; at most \(limit) are allowed"
    case .unreadable(let error): error.description
    case .malformed(let format, let offset, let reason):
      "\(format.rawValue), byte \(offset): \(reason)"
    case .truncated(let found, let expected):
      WAVReader.shortfallText(expected: expected, found: found)
    case .empty: "the file contains no sound"
    case .wrongLength(let found, let expected):
      "the length is \(found) µs, the metadata state \(expected) µs"
    case .lengthNotStated(let format):
      "the \(format) file does not state its length, so the length was not checked"
    case .notANumber(let frame, let channel):
      "frame \(frame) of channel \(channel) is infinite or NaN"
    case .notAnImage: "neither PNG nor JPEG"
    case .wrongSize(let width, let height):
      "\(width) × \(height) pixels instead of \(PieceContent.coverSide) × "
        + "\(PieceContent.coverSide)"
    case .truncatedImage(let offset): "byte \(offset): the image ends too early"
    case .malformedImage(let offset, let reason): "byte \(offset): \(reason)"
    case .notAMediaType(let text):
      "\(text.inQuotationMarks) is not a media type such as \"audio/midi\""
    }
  }
}
