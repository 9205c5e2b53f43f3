public import Foundation
public import HearingAudio
internal import HearingDSP
public import HearingFitting

/// A preview as a listener hears the piece: the mix stem rendered with the listener's preset.
///
///     renderer.preview = .personalised(PersonalisedPreview(preset: preset))
///
/// Mono is heard by both ears; of stereo, left is left. A piece with loop markers is rendered so that
/// the loop's end runs into its start without a seam: filters and detectors begin the loop as they
/// leave it. The mix stem stays as it is.
///
/// The preview tells something of the listener: whoever has both can compute the gains from them.
/// It is not for listening while something is recorded; for that there is a processor in the app.
public struct PersonalisedPreview: Sendable {
  /// What the listener is to hear.
  public var preset: Preset

  /// Which level the samples of the mix stem stand for.
  public var calibration: InputCalibration

  /// How the preview is stored.
  public var encoding: SampleEncoding

  /// The numbers of channels that two ears can hear.
  static let channelCounts = 1...2

  /// A way to render previews.
  ///
  /// - Parameters:
  ///   - preset: What the listener is to hear.
  ///   - calibration: Default: the active level of the mix stem stands for 65 dB SPL.
  ///   - encoding: Default: 16 bits, attenuated so that amplification never clips.
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
  ///   - destination: Where the preview appears when it is complete: stereo.
  ///   - loop: The part that is played over and over; nil: none.
  ///   - progress: Told of the part that is done, 0…1.
  ///   - isCancelled: Asked often; a cancelled task counts as well.
  /// - Throws: ``Failure``.
  public func render(
    _ mixStem: URL, to destination: URL, loop: LoopMarkers? = nil,
    progress: (Double) -> Void = { _ in }, isCancelled: () -> Bool = { false }
  ) throws(Failure) {
    do {
      let rendering = try PreviewRendering(
        self, reader: WAVReader(path: mixStem.path), isCancelled)
      try rendering.run(to: destination.path, loop: loop, progress, isCancelled)
    } catch {
      throw Failure(error)
    }
  }
}
