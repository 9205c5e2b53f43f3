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
  /// One line about an input that is shorter than its header states.
  let shortfall: String?

  /// The measured gains of one band.
  struct Band {
    /// In Hz.
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
    /// The progress at the end. Its frames include the latency of the limiter's look-ahead.
    let progress: RenderProgress
    /// The spectra; nil without a report.
    let spectra: RenderObservation.Spectra?

    /// The duration of the output in seconds.
    var seconds: Double { Double(frameCount) / progress.sampleRate }
  }
}

/// The sound pressure level of full scale at the input, and its origin.
struct FullScaleLevel {
  /// The level of an RMS of 1.0 in dB SPL.
  let level: Double
  let origin: Origin

  enum Origin {
    /// The level was given on the command line.
    case given
    /// The level was derived from the measured active level of the recording, in dBFS.
    case measured(activeLevel: Double)
    /// The recording is silent or nearly silent, and has no active level.
    case nothingActive
    /// The input is a stream, which cannot be measured in advance.
    case unknownStream
  }
}
