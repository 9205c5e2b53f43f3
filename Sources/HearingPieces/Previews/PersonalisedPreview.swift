public import Foundation
public import HearingAudio
public import HearingFitting

/// A preview that is rendered for a listener: the mix stem, processed with the listener's preset.
///
///     renderer.preview = .personalised(PersonalisedPreview(preset: preset))
///
/// Mono is rendered for both ears. For stereo, the left channel is rendered for the left ear and
/// the right channel for the right ear. A piece with loop markers is rendered so that its loop
/// repeats seamlessly. At the start of the loop, filters and detectors have the state that they
/// have at the end of the loop. The mix stem is not changed.
///
/// Anyone with access to both the preview and the mix stem can compute the listener's gains. For
/// monitoring during a recording, run a processor in the app instead.
public struct PersonalisedPreview: Sendable {
  /// The listener's preset.
  public var preset: Preset

  /// The sound pressure level that the samples of the mix stem represent.
  public var calibration: InputCalibration

  /// The sample format of the preview.
  public var encoding: SampleEncoding

  /// The number of repetitions of the loop in the preview, at least 1.
  ///
  /// With 1, the preview is the whole piece. With a larger number, the preview contains only the
  /// loop, repeated this number of times. This preview is faded in and out over ``fadeSeconds``.
  /// The value is ignored for a piece without loop markers.
  public var loopCount = 1 {
    willSet { precondition(newValue >= 1, "\(newValue) rounds of a loop") }
  }

  /// The length of each fade in seconds, if ``loopCount`` is larger than 1. It is limited to half
  /// of the preview.
  public static let fadeSeconds = 1.0

  /// Describes how to render a preview.
  ///
  /// - Parameters:
  ///   - preset: The listener's preset.
  ///   - calibration: By default, the active level of the mix stem represents 65 dB SPL.
  ///   - encoding: The sample format, 16 bits by default. The preview is attenuated so that
  ///     amplified samples never clip.
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
  ///   - mixStem: A WAV file, mono or stereo, 8,000…192,000 Hz.
  ///   - destination: The file URL of the stereo preview. The file becomes visible when it is
  ///     complete.
  ///   - loop: The part that is repeated, or nil.
  ///   - progress: Called with the completed fraction, 0…1.
  ///   - isCancelled: Called often. Cancelling the current task also stops the rendering.
  public func render(
    _ mixStem: URL, to destination: URL, loop: LoopMarkers? = nil,
    progress: (Double) -> Void = { _ in }, isCancelled: () -> Bool = { false }
  ) throws(RenderingError) {
    do {
      for url in [mixStem, destination] { try FileCopy.checkFileURL(url) }
      let rendering = try PreviewRendering(
        self, reader: WAVReader(path: mixStem.path), isLooped: loop != nil, isCancelled)
      try rendering.run(to: destination.path, loop: loop, progress, isCancelled)
    } catch {
      throw RenderingError(preview: error)
    }
  }
}

extension RenderingError {
  /// Converts an error of opening, processing or writing.
  fileprivate init(preview error: any Error) {
    switch error {
    case let error as RenderingError: self = error
    case let error as WAVReadError: self = .unreadable(error)
    case let error as FileAccessError: self = .file(error)
    case is CancellationError: self = .cancelled(frameCount: 0)
    default: self = .unsuitablePreset(reason: "\(error)")
    }
  }
}
