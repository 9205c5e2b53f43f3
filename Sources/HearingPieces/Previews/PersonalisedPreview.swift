public import HearingAudio
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
}
