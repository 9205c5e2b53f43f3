public import Foundation
public import HearingAudio
public import HearingFitting

/// A preview as a listener hears the piece: the mix stem rendered with the listener's preset.
///
///     renderer.preview = .personalised(PersonalisedPreview(preset: preset))
///
/// Mono is rendered for both ears. For stereo, the left channel is rendered for the left ear and
/// the right channel for the right ear. A piece with loop markers is rendered so that its loop
/// repeats seamlessly: filters and detectors start the loop in the state that they have at its end.
/// The mix stem stays unchanged.
///
/// Anyone who has both the preview and the mix stem can determine the listener's gains. To hear the
/// processing while recording, run a processor in the app instead.
public struct PersonalisedPreview: Sendable {
  /// The listener's preset.
  public var preset: Preset

  /// The level that the samples of the mix stem represent.
  public var calibration: InputCalibration

  /// How the samples of the preview are stored.
  public var encoding: SampleEncoding

  /// The number of rounds of the loop in the preview, at least 1.
  ///
  /// With 1, the preview is the whole piece. With a larger number, the preview consists of this
  /// number of rounds of the loop, without the rest of the piece, and is faded in and out over
  /// ``fadeSeconds``. The value is ignored for a piece without loop markers.
  public var loopCount = 1 {
    willSet { precondition(newValue >= 1, "\(newValue) rounds of a loop") }
  }

  /// The length in seconds of each fade of a preview of several rounds, at most half of the
  /// preview.
  public static let fadeSeconds = 1.0

  /// Describes how to render a preview.
  ///
  /// - Parameters:
  ///   - preset: The listener's preset.
  ///   - calibration: Default: the active level of the mix stem represents 65 dB SPL.
  ///   - encoding: Default: 16 bits. The preview is attenuated so that amplification never clips.
  public init(
    preset: Preset, calibration: InputCalibration = .conversation,
    encoding: SampleEncoding = .int16
  ) {
    self.preset = preset
    self.calibration = calibration
    self.encoding = encoding
  }

  /// Renders a mix stem to a file, in constant memory, on this thread.
  ///
  /// - Parameters:
  ///   - mixStem: WAV, mono or stereo, 8,000…192,000 Hz.
  ///   - destination: The path at which the complete stereo preview appears.
  ///   - loop: The part that is repeated; nil: none.
  ///   - progress: Called with the completed fraction, 0…1.
  ///   - isCancelled: Called often. Cancelling the current task also stops the rendering.
  public func render(
    _ mixStem: URL, to destination: URL, loop: LoopMarkers? = nil,
    progress: (Double) -> Void = { _ in }, isCancelled: () -> Bool = { false }
  ) throws(Failure) {
    do {
      for url in [mixStem, destination] { try FileCopy.checkFileURL(url) }
      let rendering = try PreviewRendering(
        self, reader: WAVReader(path: mixStem.path), isLooped: loop != nil, isCancelled)
      try rendering.run(to: destination.path, loop: loop, progress, isCancelled)
    } catch {
      throw Failure(error)
    }
  }

  /// Why a preview cannot be rendered.
  public enum Failure: Error, Sendable, Equatable {
    /// The mix stem has more than two channels.
    case tooManyChannels(Int)
    /// The sample rate in Hz is outside 8,000…192,000.
    case unsupportedSampleRate(Int)
    /// The level of an RMS of 1.0, in dB SPL, is outside the range that processors support.
    case levelOutOfRange(Double)
    /// The processor does not support the preset.
    case preset(reason: String)
    /// The mix stem cannot be read.
    case unreadable(WAVReadError)
    /// The preview cannot be written.
    case file(FileAccessError)
    /// The rendering was cancelled. No file is left behind.
    case cancelled
  }
}

extension PersonalisedPreview.Failure {
  /// Converts an error of opening, processing or writing.
  init(_ error: any Error) {
    switch error {
    case let error as ListenerRenderingError: self.init(error)
    case let error as WAVReadError: self = .unreadable(error)
    case let error as FileAccessError: self = .file(error)
    case WAVWriteError.file(let error): self = .file(error)
    case OfflineRenderingError.cancelled, is CancellationError: self = .cancelled
    default: self = .preset(reason: "\(error)")
    }
  }

  private init(_ failure: ListenerRenderingError) {
    switch failure {
    case .tooManyChannels(let count): self = .tooManyChannels(count)
    case .unsupportedSampleRate(let rate): self = .unsupportedSampleRate(rate)
    case .levelOfStream: self = .unreadable(.notSeekable)
    case .levelOutOfRange(let level): self = .levelOutOfRange(level)
    case .unsuitablePreset(let reason): self = .preset(reason: reason)
    case .unreadable(let error): self = .unreadable(error)
    case .cancelled: self = .cancelled
    }
  }
}

extension PersonalisedPreview.Failure: CustomStringConvertible {
  /// One line: what is wrong.
  public var description: String {
    switch self {
    case .tooManyChannels(let count):
      ListenerRenderingError.tooManyChannels(count).description
    case .unsupportedSampleRate(let rate):
      ListenerRenderingError.unsupportedSampleRate(rate).description
    case .levelOutOfRange(let level):
      ListenerRenderingError.levelOutOfRange(fullScaleSPL: level).description
    case .preset(let reason):
      ListenerRenderingError.unsuitablePreset(reason: reason).description
    case .unreadable(let error): error.description
    case .file(let error): error.description
    case .cancelled: "cancelled"
    }
  }
}
