/// The reason why a WAV file cannot be read. Each `offset` is a number of bytes from the start of
/// the file.
///
/// A file may have fewer samples than the header says. The missing samples are not an error; see
/// ``WAVReader/shortfall``.
public enum WAVReadError: Error, Sendable, Equatable {
  /// The file cannot be opened or read.
  case file(FileAccessError)
  /// The file is not a WAV file. At `offset`, the file contains the text `found` instead of the
  /// text `expected`.
  case notWAV(found: String, expected: String, offset: Int)
  /// The file ends in the middle of its header.
  case endsInHeader(offset: Int, reading: String)
  /// The format chunk is too short.
  case formatTooShort(byteCount: Int, needed: Int, offset: Int)
  /// Samples are stored in an unsupported way, for example compressed.
  case unsupportedEncoding(formatTag: Int, bitsPerSample: Int, offset: Int)
  /// An extensible format has an unsupported sub-format.
  case unsupportedSubFormat(identifier: String, offset: Int)
  /// The sample rate is 0.
  case zeroSampleRate(offset: Int)
  /// The number of channels is 0, or more than ``WAVFormat/channelCountLimit``.
  case unsupportedChannelCount(Int, offset: Int)
  /// The frame size does not match the number of channels and the bits per sample.
  case inconsistentFrameSize(byteCount: Int, expected: Int, offset: Int)
  /// The data chunk comes before the format chunk.
  case missingFormat(offset: Int)
  /// The file ends without a data chunk.
  case missingData(offset: Int)
  /// Too many chunks precede the data chunk.
  case tooManyChunks(limit: Int, offset: Int)
  /// The source is a stream. Seeking in a stream is not possible.
  case notSeekable
}

extension WAVReadError: CustomStringConvertible {
  /// The error in one line, with the offset and the reason.
  public var description: String {
    switch self {
    case .file(let error): error.description
    case .notWAV(let found, let expected, let offset):
      "byte \(offset): not a WAV file: '\(found)' instead of \(expected)"
    case .endsInHeader(let offset, let reading): "byte \(offset): the file ends inside \(reading)"
    case .formatTooShort(let byteCount, let needed, let offset):
      "byte \(offset): the format chunk has \(byteCount) bytes, \(needed) are needed"
    case .unsupportedEncoding(let tag, let bits, let offset):
      "byte \(offset): unsupported encoding: format tag \(tag) with \(bits) bits a sample"
    case .unsupportedSubFormat(let identifier, let offset):
      "byte \(offset): unsupported sub-format \(identifier)"
    case .zeroSampleRate(let offset): "byte \(offset): the sample rate is 0"
    case .unsupportedChannelCount(let count, let offset):
      "byte \(offset): \(count) channels; 1 to \(WAVFormat.channelCountLimit) can be read"
    case .inconsistentFrameSize(let byteCount, let expected, let offset):
      "byte \(offset): the header states frames of \(byteCount) bytes, their samples need \(expected)"
    case .missingFormat(let offset): "byte \(offset): the sound comes before its format"
    case .missingData(let offset): "byte \(offset): the file ends without a data chunk"
    case .tooManyChunks(let limit, let offset):
      "byte \(offset): more than \(limit) chunks before the sound"
    case .notSeekable: "a stream cannot seek"
    }
  }
}
