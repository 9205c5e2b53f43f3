public import Foundation
public import HearingAudio
public import HearingFitting

/// A preview for one listener. The preview is the mix stem (the complete music of the piece),
/// processed with the listener's preset.
///
///     renderer.preview = .personalised(PersonalisedPreview(preset: preset))
///
/// A mono piece is rendered for both ears. For a stereo piece, the left channel is rendered for the
/// left ear and the right channel for the right ear. If a piece has loop markers, the loop repeats
/// seamlessly. The filters and the level detectors have the same state at the start and at the end
/// of the loop. The mix stem is not changed.
///
/// Anyone who has the preview and the mix stem can compute the listener's gains. A preview is not
/// suitable for live audio, for example during a recording. For live audio, use a processor in the
/// app.
public struct PersonalisedPreview: Sendable {
  /// The listener's preset.
  public var preset: Preset

  /// The calibration of the mix stem: the sound pressure level that its samples represent.
  public var calibration: InputCalibration

  /// The format of the samples in the preview.
  public var encoding: SampleEncoding

  /// The number of times that the preview plays the loop, at least 1.
  ///
  /// If `loopCount` is 1, the preview is the whole piece. If `loopCount` is larger than 1, the
  /// preview contains only the loop, played `loopCount` times. A preview of repeated loops has a
  /// fade-in and a fade-out of ``fadeSeconds`` each. If the piece has no loop markers, `loopCount`
  /// is ignored. The rendering fails if the repeated loops together are longer than
  /// ``maximumLoopedSeconds``.
  public var loopCount = 1 {
    willSet { precondition(newValue >= 1, "\(newValue) rounds of a loop") }
  }

  /// The length in seconds of the fade-in and of the fade-out if ``loopCount`` is larger than 1. A
  /// fade is at most half as long as the preview.
  public static let fadeSeconds = 1.0

  /// The maximum length in seconds of a preview if ``loopCount`` is larger than 1: 24 hours.
  public static let maximumLoopedSeconds = 86_400.0

  /// Creates the parameters for rendering a preview.
  ///
  /// - Parameters:
  ///   - preset: The listener's preset.
  ///   - calibration: The sound pressure level that the samples represent. By default, the active
  ///     level of the mix stem (the level without the pauses) represents 65 dB SPL.
  ///   - encoding: The format of the samples, 16-bit integers by default. The preview is attenuated
  ///     so that samples never clip, even at the maximum output of the preset. Most recordings do
  ///     not reach the maximum output. Therefore the preview can be softer than the mix stem.
  public init(
    preset: Preset, calibration: InputCalibration = .conversation,
    encoding: SampleEncoding = .int16
  ) {
    self.preset = preset
    self.calibration = calibration
    self.encoding = encoding
  }

  /// Renders a mix stem to a file, on the calling thread. The required memory does not depend on
  /// the length of the mix stem.
  ///
  /// - Parameters:
  ///   - mixStem: The URL of a WAV file, mono or stereo, with a sample rate of 8,000…192,000 Hz.
  ///   - destination: The file URL of the stereo preview. The file appears only when the preview is
  ///     complete.
  ///   - loop: The section of the piece that can be repeated, or nil. If the loop contains no frame
  ///     of the mix stem, the function throws the error `file` with the path of the mix stem.
  ///   - progress: A closure that is called with the completed fraction of the rendering, 0…1.
  ///   - isCancelled: A closure that is called often during the rendering. If the closure returns
  ///     true, or if the current task is cancelled, the rendering stops.
  public func render(
    _ mixStem: URL, to destination: URL, loop: LoopMarkers? = nil,
    progress: (Double) -> Void = { _ in }, isCancelled: () -> Bool = { false }
  ) throws(RenderingError) {
    do {
      for url in [mixStem, destination] { try FileCopy.checkFileURL(url) }
      let rendering = try PreviewRendering(
        self, reader: WAVReader(path: mixStem.path), isLooped: loop != nil, isCancelled)
      try rendering.run(to: destination.path, loop: loop, progress, isCancelled)
    } catch let error as UnsuitableLoop {
      throw .file(
        .system(
          path: mixStem.path, operation: "render the loop", code: EINVAL, reason: error.reason))
    } catch {
      throw RenderingError(preview: error)
    }
  }
}

extension RenderingError {
  /// Converts an error that occurred while the preview was rendered.
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
