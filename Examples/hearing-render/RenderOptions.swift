import HearingAudio
import HearingFitting

/// What one call of the program is to do.
struct RenderOptions {
  /// Nil: the embedded recording.
  var input: String?
  var output = "hearing-render-output.wav"
  var listener = ListenerChoice.audiogram(HearingProfile(left: .n3, right: .n3), name: "N3")
  var rule: PrescriptionRule?
  var techLevel = 2
  var intensity: Float = 1
  var isBypassed = false
  /// Nil: from the input's active level, or as for a live stream if the input cannot be read twice.
  var calibration: InputCalibration?
  /// dB SPL; nil: the preset's own.
  var maximumOutput: Double?
  /// Nil: 32-bit float, or 16-bit for the embedded recording, so that any player plays it.
  var encoding: SampleEncoding?
  var blockSize = 512
  var isQuiet = false

  /// Who listens.
  enum ListenerChoice {
    case audiogram(HearingProfile, name: String)
    case preset(Preset, name: String)
  }
}
