public import HearingAudio
internal import HearingDSP
internal import HearingFitting

extension PersonalisedPreview {
  /// Why a preview cannot be rendered.
  public enum Failure: Error, Sendable, Equatable {
    /// The mix stem has more channels than a listener has ears.
    case tooManyChannels(Int)
    /// The sample rate in Hz is none that can be processed: 8,000…192,000.
    case unsupportedSampleRate(Int)
    /// The mix stem is too loud or too soft for its level, in dB SPL of an RMS of 1.0, to make sense.
    case levelOutOfRange(Double)
    /// The preset cannot be carried by the processor.
    case preset(reason: String)
    /// The mix stem cannot be read.
    case unreadable(WAVReadError)
    /// The preview cannot be written.
    case file(FileAccessError)
    /// It was cancelled; nothing is left behind.
    case cancelled
  }
}

extension PersonalisedPreview.Failure {
  /// What opening, processing or writing throws.
  init(_ error: any Error) {
    switch error {
    case let error as PersonalisedPreview.Failure: self = error
    case let error as WAVReadError: self = .unreadable(error)
    case WAVWriter.WriteError.file(let error): self = .file(error)
    case OfflineRenderer.RenderError.cancelled, is CancellationError: self = .cancelled
    default: self = .preset(reason: "\(error)")
    }
  }
}

extension PersonalisedPreview.Failure: CustomStringConvertible {
  /// One line that says what was wrong.
  public var description: String {
    switch self {
    case .tooManyChannels(let count):
      "\(count) channels: mono and stereo can be rendered for two ears"
    case .unsupportedSampleRate(let rate):
      "\(rate) Hz: sample rates of 8000 to 192000 Hz can be rendered"
    case .levelOutOfRange(let level):
      "an RMS of 1.0 would stand for \(level.rounded()) dB SPL, which is outside 0 to 200"
    case .preset(let reason): "the preset: \(reason.singleLine(limit: 300))"
    case .unreadable(let error): error.description
    case .file(let error): error.description
    case .cancelled: "cancelled"
    }
  }
}
