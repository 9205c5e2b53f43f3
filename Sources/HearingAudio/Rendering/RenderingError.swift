internal import HearingDSP
internal import HearingFitting

/// The reason why the rendering of a recording is not possible or has stopped.
public enum RenderingError: Error, Sendable, Equatable {
  /// The recording has more than two channels.
  case tooManyChannels(Int)
  /// The sample rate in Hz is outside `ProcessingSpec.supportedSampleRates`.
  case unsupportedSampleRate(Int)
  /// The calibration requires a measurement of the active speech level, but the recording is a
  /// stream. The active speech level of a stream cannot be measured, because a stream cannot be
  /// read twice.
  case levelOfStream
  /// `fullScaleSPL` is outside `ProcessorSettings.supportedFullScales`. `fullScaleSPL` is the level
  /// in dB SPL of an RMS of 1.0.
  case levelOutOfRange(fullScaleSPL: Double)
  /// The processor does not support the preset.
  case unsuitablePreset(reason: String)
  /// The channel map contains an input channel that the source does not have.
  case missingInput(channel: Int, channelCount: Int)
  /// The sink and the channel map have different numbers of channels.
  case channelCountMismatch(rendered: Int, sink: Int)
  /// The recording cannot be read.
  case unreadable(WAVReadError)
  /// A file cannot be opened or written.
  case file(FileAccessError)
  /// The rendering was cancelled after `frameCount` frames, and the output was discarded. If the
  /// measurement of the active speech level was cancelled, `frameCount` is 0.
  case cancelled(frameCount: Int)
}

extension RenderingError: CustomStringConvertible {
  /// The error in one line. If a sample rate or a level is out of range, the text contains the
  /// supported range.
  public var description: String {
    switch self {
    case .tooManyChannels(let count):
      "\(count) channels; mono and stereo can be rendered for two ears"
    case .unsupportedSampleRate(let rate):
      "a sample rate of \(rate) Hz is outside "
        + "\(Int(ProcessingSpec.supportedSampleRates.lowerBound))…"
        + "\(Int(ProcessingSpec.supportedSampleRates.upperBound)) Hz"
    case .levelOfStream: "the active level of a stream cannot be measured before it is rendered"
    case .levelOutOfRange(let level):
      "an RMS of 1.0 would stand for \(level.rounded()) dB SPL, outside "
        + "\(Int(ProcessorSettings.supportedFullScales.lowerBound))…"
        + "\(Int(ProcessorSettings.supportedFullScales.upperBound)) dB SPL"
    case .unsuitablePreset(let reason): "the preset: \(reason.singleLine(limit: 300))"
    case .missingInput(let channel, let channelCount):
      "the channel map contains input channel \(channel), but the source has \(channelCount) channels"
    case .channelCountMismatch(let rendered, let sink):
      "\(rendered) channels are rendered, the output has \(sink)"
    case .unreadable(let error): error.description
    case .file(let error): error.description
    case .cancelled(let frameCount): "cancelled after \(frameCount) frames"
    }
  }
}
