import Foundation
import HearingAudio
import HearingDSP
import HearingFitting

/// The result of a rendering and its measurements.
struct RenderSummary {
  let options: RenderOptions
  let format: WAVFormat
  let fullScale: FullScaleLevel
  let preset: Preset
  let bands: [Band]
  let sound: Sound
  /// The number of clipped samples in the file for the unprocessed sound.
  let clippedComparisonSampleCount: Int
  /// A message if the input is shorter than its header states; otherwise nil.
  let shortfall: String?

  /// The measured gains of one band.
  struct Band {
    /// The centre frequency in Hz.
    let center: Double
    /// The level of the test tone in dB SPL.
    let level: Double
    /// The prescribed gain in dB for each ear; nil if the ear is unknown.
    let prescribed: [Double?]
    /// The gain in dB for each ear, measured at the processor's output.
    let measured: [Double]
  }

  /// The levels before and after processing, and the limiter's gain reduction.
  struct Sound {
    let scaling: OutputScaling
    let input: [LevelMeter.Reading]
    let output: [LevelMeter.Reading]
    /// The number of frames in the output.
    let frameCount: Int
    let clippedSampleCount: Int
    /// Whether the recording contains samples that are infinite or NaN.
    let hasNonFiniteSamples: Bool
    let levels: BandLevels
    /// The progress at the end of the rendering. The number of its frames includes the frames by
    /// which the limiter delays the sound.
    let progress: RenderProgress
    /// The spectra; nil without a report.
    let spectra: RenderObservation.Spectra?

    /// The duration of the output in seconds.
    var seconds: Double { Double(frameCount) / progress.sampleRate }
  }
}

/// The sound pressure level of digital full scale at the input, and how it was determined.
struct FullScaleLevel {
  /// The level of an RMS of 1.0 in dB SPL.
  let level: Double
  let origin: Origin

  enum Origin {
    /// The level was given on the command line.
    case given
    /// The level was derived from the measured active level of the recording, in dBFS.
    case measured(activeLevel: Double)
    /// The level is assumed, because the recording is silent or nearly silent.
    case nothingActive
    /// The level is assumed, because the input is a stream, which cannot be measured in advance.
    case unknownStream
  }
}
