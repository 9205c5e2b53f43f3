public import HearingAudio

/// Why a file is no mix stem, or no preview.
public enum StemError: Error, Sendable, Equatable {
  /// It cannot be read as WAV.
  case unreadable(WAVReadError)
  /// It ends before its header says.
  case truncated(WAVReader.Shortfall)
  /// There is no sound in it.
  case empty
  /// It lasts longer or shorter than the metadata say, by more than a frame; both in microseconds.
  case wrongLength(Int64, expected: Int64)
  /// A sample is infinite or no number.
  case notANumber(frame: Int, channel: Int)
}

extension StemError: CustomStringConvertible {
  /// One line that says what is wrong and where.
  public var description: String {
    switch self {
    case .unreadable(let error): error.description
    case .truncated(let shortfall): shortfall.description
    case .empty: "there is no sound in it"
    case .wrongLength(let found, let expected):
      "it lasts \(found) µs, the metadata say \(expected)"
    case .notANumber(let frame, let channel):
      "frame \(frame) of channel \(channel) is infinite or no number"
    }
  }
}
